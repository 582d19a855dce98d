#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Plants defects in the sources, one at a time, and checks whether the unit tests notice: ./dev mutate, docs/testing.md."""
import argparse
import fcntl
import itertools
import os
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import build
import choose
import coverage
import named
import planter
import programs
import report
import rooms
import scripts
import since
import trial

# The defects of each room in the sample. A script's tests start hundreds of programs, and take as long as a room of C compiles.
SAMPLE_SEED, SAMPLE_COUNT, SAMPLE_OF_SCRIPTS = "1", 20, 3
HERE = os.path.dirname(os.path.abspath(__file__))


def arguments():
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__.split(":")[0] + ".")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"one or more of {', '.join(rooms.STARTS)} (default: all)")
    parser.add_argument("--seed", default="1", help="of the choice (default: 1)")
    parser.add_argument("--count", type=int, default=60, metavar="N", help="defects of each room (default: 60)")
    parser.add_argument("--file", action="append", default=[], metavar="PATH", help="only in this source file; may be repeated")
    parser.add_argument("--since", metavar="COMMIT", help="only in lines that changed since this commit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="at once (default: one per processor)")
    parser.add_argument("--tree", default=os.path.dirname(os.path.dirname(HERE)), help="a clone (default: this one)")
    parser.add_argument("--no-sanitizers", action="store_true", help="compile the defect without ASan and UBSan: faster, notices less")
    parser.add_argument("--sample", action="store_true", help="the sample: fails below the floors of tests/mutate/floors")
    parser.add_argument("--coverage", action="store_true", help="no defects: the lines that each room's tests run, and their floors")
    parser.add_argument("--turn", action="store_true", help="only the rooms whose turn it is: each commit takes the next (./dev test)")
    parser.add_argument("--raise", action="store_true", dest="lift", help="with --sample or --coverage: write the floors that the rates allow")
    options = parser.parse_args()
    for name in options.rooms:
        if name not in rooms.STARTS:
            parser.error(f"no such room: {name}")
    options.tree = os.path.abspath(options.tree)
    options.rooms = options.rooms or (choose.in_turn(options.tree) if options.turn else list(rooms.STARTS))
    options.lines = since.changed_lines(options.tree, options.since) if options.since else None
    if options.sample:
        options.seed, options.count = SAMPLE_SEED, SAMPLE_COUNT
        release = since.last_release(options.tree)
        options.fresh = since.changed_lines(options.tree, release) if release else {}
    elif options.lift and not options.coverage:
        parser.error("floors are those of the sample, or of the lines that run: --sample --raise, --coverage --raise")
    return options


def find_places(shop, room, pool):
    """(places, file -> bytes)."""
    sources = {}
    for path in room.mutable:
        with open(os.path.join(shop.copy, path), "rb") as file:
            sources[path] = file.read()
    return [place for job in rooms.places(shop.copy, room, pool) for place in job.result()], sources


def try_room(options, shop, bench, room, places, sources, entries):
    """Draws and tries until `count` defects count. Returns (results, skipped)."""
    count = min(options.count, SAMPLE_OF_SCRIPTS) if options.sample and room.name in scripts.ROOMS else options.count
    if options.file:
        places = [place for place in places if place["file"] in options.file]
    if options.lines is not None:
        places = since.only(places, options.lines)
    texts = {path: text.decode().split("\n") for path, text in sources.items()}
    drawn = choose.draws(places, texts, options.seed)
    if options.sample:
        drawn = choose.fresh_first(places, since.only(places, options.fresh), texts, options.seed, count // 2)
        drawn = itertools.islice(drawn, count * 3 // 2)  # since some are drawn again
    judged = rooms.make_trial(shop, room, not options.no_sanitizers, count)
    results, skipped = [], {"invalid": 0, "identical": 0}

    def one(pair):
        place, text = pair
        result = dict(place, text=text)
        reason = entries.get(named.key_of(sources[place["file"]], place, text))
        if reason:
            return dict(result, verdict="named", reason=reason)
        result.update(bench.try_one(judged, place, text))
        return result

    with ThreadPoolExecutor(options.jobs) as pool:
        while len(results) < count:
            batch = [pair for _, pair in zip(range(count - len(results)), drawn)]
            if not batch:
                break
            for result in pool.map(one, batch):
                if result["verdict"] in skipped:
                    skipped[result["verdict"]] += 1
                    continue
                results.append(result)
                if result["verdict"] in report.LEFT:
                    report.print_survivor(result, sources[result["file"]])
    return results, skipped


def check_floors(tree, done, lift):
    """Returns the number of rooms at or above their floors. lift: writes the floors that can be raised."""
    path = os.path.join(tree, "tests", "mutate", "floors")
    floors = report.read_floors(path)
    held = 0
    for name, (results, _) in done.items():
        percent = report.rate(results)[2]
        floor, possible = floors.get(name, 0), report.possible_floor(results)
        if percent < floor:
            print(f"FAIL {name}: {percent:.0f} % of the sample are noticed, the floor is {floor} %")
            continue
        held += 1
        if possible > floor:
            print(f"{name}: the floor of {floor} % can be {possible} %: " + ("written" if lift else "./dev mutate --sample --raise"))
            floors[name] = possible
    if lift:
        report.write_floors(path, floors)
    return held


def refuse_misfits(tree, entries, found):
    """Entries of the list that fit no line, or several; of rooms that are not looked at: whose lines are in no file."""
    wrong = [misfit for places, sources in found.values() for misfit in named.misfits(entries, places, sources)]
    looked_at = {path for _, sources in found.values() for path in sources}
    for entry in entries:
        elsewhere = any(entry[0].startswith(starts) for name, starts in rooms.STARTS.items() if name not in found)
        if entry[0] not in looked_at and not (elsewhere and named.has_lines(os.path.join(tree, entry[0]), entry[2])):
            wrong.append((entry, []))
    if wrong:
        raise named.ListError("\n".join(
            f"tests/mutate/equivalent: fits {'lines ' + ', '.join(map(str, lines)) if lines else 'no line'}: "
            f"{file} {owner}: {' '.join(before)}" for (file, owner, before, _), lines in wrong))


def main():
    start = time.time()
    options = arguments()
    home = os.path.join(options.tree, "build", "mutate")
    os.makedirs(home, exist_ok=True)
    lock = open(os.path.join(home, "lock"), "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    chosen = rooms.read(options.tree, options.rooms)
    shop = build.Workshop(options.tree, options.jobs)
    if options.coverage:
        counted = {name: programs.Reach(shop, room) for name, room in chosen.items() if name in build.ROOMS}
        held = coverage.check(options.tree, counted, options.lift)
        print(f"{held} passed, {len(counted) - held} failed")
        return 0 if held == len(counted) else 1
    bench = trial.Bench(shop)
    entries = named.read(os.path.join(options.tree, "tests", "mutate", "equivalent"))
    found = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for name, room in chosen.items():
            found[name] = find_places(shop, room, pool)
    refuse_misfits(options.tree, entries, found)
    # All rooms at once, so that no processor waits for the last defect of a room.
    with ThreadPoolExecutor(len(chosen)) as pool:
        jobs = {name: pool.submit(try_room, options, shop, bench, room, *found[name], entries) for name, room in chosen.items()}
        done = {name: job.result() for name, job in jobs.items()}
    for name, (results, skipped) in done.items():
        report.print_room(name, results, skipped)
    shop.clean()
    report.write(os.path.join(home, "report.json"), options.seed, done)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"seed {options.seed}; {time.time() - start:.0f} s, {usage.ru_utime + usage.ru_stime:.0f} s of processor; "
        f"build/mutate/report.json has every defect"
    )
    if options.sample:
        held = check_floors(options.tree, done, options.lift)
        print(f"{held} passed, {len(done) - held} failed")
        return 0 if held == len(done) else 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (build.BuildError, named.ListError, planter.ParseError, programs.Unsound, since.SinceError) as error:
        print(f"mutate: {error}", file=sys.stderr)
        sys.exit(2)
