# SPDX-License-Identifier: BSD-2-Clause
"""The commands that the documents print, taken from them and run: documents.py words | documents.py run PLACE.

A command is an indented line of a Markdown file that begins with a program's name, or a line of the man page's examples; a line that ends with a
backslash goes on. 'words' prints what stands after 'ibsboot> ', a line each, for the prompt of a boot. 'run' runs the rest in PLACE, a folder that looks
like the project after some runs (tests/boot/ibsprof/documents.sh): each block of commands in a separate shell, with the variables of the document's earlier
blocks; the settings in backticks of tests/boot/coverage.md by './dev run'; and each command there that
names RUN, on the runs until one has what the command shows. A command is good when it ends with status 0 and has printed something or has written its -o FILE."""
import glob
import os
import re
import subprocess
import sys

PROGRAM = re.compile(r"(\./dev|make|sudo|ibsprof|perf|cd|(tools|build|bench|tests)/[\w./-]+) |\w+=\S")

# In the documents, but not run here. Each must still be in some document.
NOT_RUN = {
    "FAMILY_ROWS=5000 tests/host/families/families.sh": "is a test of the suite, here with ten times the rows",
    "./dev test": "the suite that this is part of",
    "./dev linux": "takes Debian's kernel, and many minutes",
    "./dev linux --only zen2": "takes Debian's kernel, and many minutes",
    "./dev dist": "compiles all; tests/host/project/release.sh makes two releases",
    "./dev docs": "boots for minutes, and writes the documents",
    "./dev docs --tables": "writes the documents; tests/host/project/tables.sh does it in a copy",
    "./dev mutate": "takes an hour",
    "bench/bias --picture docs/pictures/bias.png": "takes a quarter of an hour, and writes a picture",
    "./dev mutate app --seed 3 --count 300": "takes an hour",
    "./dev mutate core --file core/profile/csv.c": "takes minutes",
    "./dev run --repeat 6 --out 4k": "4k has runs here already; tests/host/project/dev.sh looks at what it starts",
    "./dev run --repeat 6 --out 2m pages=2m": "the same",
    "./dev mutate --sample": "part of the suite already",
    "./dev mutate --since HEAD~3": "takes minutes",
    "tests/boot/run --firmware bios": "all boots once more; tests/boot/machine/bios.sh is those of the suite",
    "make test-images && tests/boot/measure/noise.sh": "is a test of this suite",
    "sudo dd if=build/ibsboot-usb.img of=/dev/sdX bs=4M conv=fsync status=progress": "writes to a stick",
    "./dev image --sign lab.key lab.crt": "the keys are below the tree; tests/boot/machine/secure.sh boots such sticks",
    "./dev image --sign lab.key lab.crt --shim /usr/lib/shim": "the same",
    "./dev image && sudo dd if=build/ibsboot-usb.img of=/dev/sdX bs=4M conv=fsync": "writes to a stick",
    "sudo tools/record-linux --tune matmul-classic rows=1000": "changes the machine's settings, and needs IBS",
    "sudo tools/record-linux --tune --runs=10 matmul-classic rows=1000": "changes the machine's settings, and needs IBS",
    "sudo tools/record-linux --code=build/code/dot.elf --tune passes=200000": "the same; tests/host/image/own_code.sh records by cpu-clock",
    "ibsprof compare --comm=matmul-classic --debug-dir=linux-matmul-classic/debug --debug-dir=build runs/*-matmul-classic-ibs -- linux-matmul-classic/00??":
        "compares what that recorded; tests/host/pages/html.sh does it on made recordings",
    "build/ibsboot-workloads noise seconds=10 --cpu=1": "takes ten seconds of a processor; tests/host/image/twins.sh takes less",
    "perf record -e ibs_op// -e ibs_fetch// -c 100000 -o os.data ./program": "needs an AMD processor with IBS",
    "ibsprof export --format=konata -o trace.kanata runs/0001-divide-chain-trace": "needs a trace; tests/boot/measure/trace.sh exports one",
    "ibsprof export --format=html -o trace.html runs/0001-divide-chain-trace": "the same; tests/unit/web draws one",
    "ibsprof snippet --of build/imul": "needs runs of that snippet; tests/boot/measure/snippet.sh has some",
    "ibsprof snippet --of build/imul-ibs": "the same",
    "ibsprof bias build/latest/runs/*": "needs exact counts of these; tests/boot/measure/bias.sh has some",
    "tools/lab-server --card lab0 /srv/lab": "serves a lab until it is ended; tests/boot/machine/lab.sh runs it",
    "ibsprof receive --rate 57600 --to runs /dev/ttyUSB0": "waits for a machine at a serial port; tests/unit/ibsprof/receive/test_receive.c has a terminal",
    "ibsprof receive --wait 3600 --to collected /dev/ttyUSB0": "waits for machines at a serial port; tests/boot/machine/network.sh has a log",
    "ibsprof receive --to runs console.log": "needs a log of a console; tests/boot/virtual/faults.sh makes one",
    "ibsprof report --by=caller os.data": "os.data is a run's here, without call chains; tests/host/ibsprof/ibsprof_report.sh records some",
    'ibsprof report --folded --event="IBS DC miss" os.data | flamegraph.pl > misses.svg': "flamegraph.pl is in no Debian package",
}
# Nor any command of these programs.
NOT_RUN_PROGRAMS = {
    "bench/compare-real": "compares sixty recordings, for minutes",
    "tests/host/families/family_compare.py": "tests/host/families/families.sh runs it, on newly made files",
}


def without_comment(line):
    return re.sub(r"\s+#.*", "", line.rstrip())


def markdown(path):
    """Blocks of commands: lists of them."""
    blocks, block, open_line = [], [], ""
    for line in open(path, encoding="utf-8"):
        if not line.startswith("    "):
            if block:
                blocks.append(block)
            block, open_line = [], ""
            continue
        text = without_comment(line[4:])
        if open_line:
            text, open_line = open_line + " " + text.strip(), ""
        if not PROGRAM.match(text + " "):
            continue
        if text.endswith("\\"):
            open_line = text[:-1].strip()
        else:
            block.append(text)
    return blocks + ([block] if block else [])


def man(path):
    """The examples, a block each."""
    text = open(path, encoding="utf-8").read().split(".SH EXAMPLES", 1)[1]
    lines = re.search(r"\.EX\n(.*?)\.EE", text, re.S).group(1).splitlines()
    return [[line.replace("\\-", "-")] for line in lines]


def documents():
    found = [(path, markdown(path)) for path in ["README.md", "docs/reading-a-run.md"] + sorted(set(glob.glob("docs/*.md")) - {"docs/reading-a-run.md"})]
    return found + [("tools/ibsprof/ibsprof.1", man("tools/ibsprof/ibsprof.1"))]


def in_backticks(pattern):
    """What tests/boot/coverage.md has in backticks and is of that pattern, once each."""
    text = open("tests/boot/coverage.md", encoding="utf-8").read()
    return list(dict.fromkeys(code for code in re.findall(r"`([^`\n]+)`", text) if re.fullmatch(pattern, code)))


def words():
    """Each line for the usual workload, as its document has it, and not for that of another document."""
    for path, _ in documents():
        for settings in re.findall(r"^    ibsboot> (.*=.*)$", open(path, encoding="utf-8").read(), re.M):
            print(settings if "workload=" in settings else "workload=matmul-classic " + settings)


def to_run(command):
    return command not in NOT_RUN and command.split()[0] not in NOT_RUN_PROGRAMS


def run_block(place, kept, block):
    """Runs commands in one shell; returns (command, status, output) of each."""
    script = "set -o pipefail\n" + "".join(line + "\n" for line in kept)
    for i, command in enumerate(block):
        script += f"{command}\nprintf '\\n@@ {i} %s\\n' $?\n"
    environment = dict(os.environ, PATH=os.path.join(place, "bin") + ":" + os.environ["PATH"])
    done = subprocess.run(["bash", "-c", script], cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    rest = done.stdout.decode("utf-8", "replace")
    for i, command in enumerate(block):
        output, mark, rest = rest.partition(f"\n@@ {i} ")
        status, _, rest = rest.partition("\n") if mark else ("none", "", "")
        yield command, status, output


def wrote(place, command):
    name = re.search(r"(?:-o |> )(\S+)", command)
    return name and glob.glob(os.path.join(place, "**", name.group(1)), recursive=True)


def run_coverage(place):
    """Yields (command, "", or what the last run said) of tests/boot/coverage.md's commands with RUN."""
    runs = sorted(glob.glob(os.path.join(place, "runs", "0*")))
    for command in in_backticks(r"(?:report|annotate|export|info|runs) (?:.* )?RUN"):
        for folder in runs:
            line = "ibsprof " + command.replace("RUN", folder)
            (_, status, output), = run_block(place, [], [line])
            # An event of which these short runs have no sample is an answer, too.
            shown = status == "0" and output.strip() or ": no samples of " in output
            if shown:
                break
        yield command, "" if shown else output.strip()[-300:]


def run(place):
    place, printed, ran, bad = os.path.abspath(place), set(), 0, 0
    setting = r'\w+=(?:"[^"]+"|[^\s".]+)'
    settings = ["./dev run " + words for words in in_backticks(rf"(?:--revision \w+ )?{setting}(?: {setting})*")]
    for command, status, output in run_block(place, [], settings):
        ran += 1
        if status != "0":
            bad += 1
            print(f"not ok tests/boot/coverage.md: {command}: status {status}: {output.strip()[-500:]}")
    for command, wrong in run_coverage(place):
        ran += 1
        if wrong:
            bad += 1
            print(f"not ok tests/boot/coverage.md: {command}: {wrong}")
    for path, blocks in documents():
        kept = []
        for block in blocks:
            printed |= set(block)
            for command, status, output in run_block(place, kept, [line for line in block if to_run(line)]):
                ran += 1
                silent = re.match(r"\w+=\S+$|cd |perf .* buildid-cache |ibsprof runs --note=", command)
                if status != "0" or not (silent or output.strip() or wrote(place, command)):
                    bad += 1
                    print(f"not ok {path}: {command}: status {status}: {output.strip()[-500:]}")
            kept += [line for line in block if re.match(r"\w+=\S+$", line)]
    printed |= {command.split()[0] for command in printed}
    for command in sorted({*NOT_RUN, *NOT_RUN_PROGRAMS} - printed):
        bad += 1
        print(f"not ok no document prints: {command}")
    print(f"{'not ok' if bad else 'ok'} {ran} commands of {len(documents())} documents do as printed; {len(NOT_RUN) + len(NOT_RUN_PROGRAMS)} kinds cannot be run here")
    return bad > 0


sys.exit(words() if sys.argv[1] == "words" else run(sys.argv[2]))
