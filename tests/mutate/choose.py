# SPDX-License-Identifier: BSD-2-Clause
"""Which defects are tried: a choice that depends on the seed and on the text of the lines, not on their numbers.

Every line with a place has the same chance, whatever it contains; on the line every kind has the same chance, then every
place of the kind, then every text. Lines of tables are at most one in TABLE_SHARE of the drawn lines.
The rank of a line is a hash of the seed, its file and its text: a change elsewhere does not change the choice.
"""
import hashlib
import itertools
import os
import random
import subprocess

import rooms

TABLE_SHARE = 10
# The rooms of which ./dev test tries the sample: each commit takes the next turn.
TURNS = (("core",), ("drivers", "web"), ("app",), ("efi", "bios", "tools"), ("ibsprof",), ("vpmu",))


def in_turn(tree):
    """The rooms of this commit's turn (tests/turn); all rooms outside of git."""
    turn = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../turn")
    said = subprocess.run([turn, str(len(TURNS))], cwd=tree, stdout=subprocess.PIPE, text=True, check=True).stdout
    if not said:
        return list(rooms.STARTS)
    names = TURNS[int(said)]
    print(f"the turn of {', '.join(names)}; the other rooms: ./dev mutate --sample")
    return list(names)


def rank(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def lines_of(places, texts, seed):
    """[(rank, [places of one line])] in the order of drawing. texts: file -> list of its lines."""
    by_line = {}
    for place in places:
        by_line.setdefault((place["file"], place["line"]), []).append(place)
    seen = {}
    ranked = []
    for (file, number), here in sorted(by_line.items()):
        text = texts[file][number - 1].strip()
        seen[file, text] = seen.get((file, text), 0) + 1
        ranked.append((rank(seed, file, text, seen[file, text]), here))
    return sorted(ranked, key=lambda pair: pair[0])


def draws(places, texts, seed):
    """Yields (place, text): every line once, then every line once more with another choice, until nothing is left."""
    ranked = lines_of(places, texts, seed)
    done = set()
    drawn = tables = 0
    turn = 0
    before = -1
    while drawn > before:
        before = drawn
        for key, here in ranked:
            left = [(p["kind"], at, text) for at, p in enumerate(here) for text in p["texts"] if (key, at, text) not in done]
            if not left or here[0]["table"] and tables * TABLE_SHARE > drawn:
                continue
            chance = random.Random(f"{key} {turn}")
            kind = chance.choice(sorted({kind for kind, _, _ in left}))
            at = chance.choice(sorted({at for k, at, _ in left if k == kind}))
            text = chance.choice([t for k, a, t in left if (k, a) == (kind, at)])
            done.add((key, at, text))
            drawn += 1
            tables += here[0]["table"]
            yield here[at], text
        turn += 1


def fresh_first(places, fresh, texts, seed, count):
    """The choice of the sample: up to `count` defects in `fresh`, the places in lines that are new; then others in all places."""
    first = list(itertools.islice(draws(fresh, texts, seed), count))
    done = {(place["file"], place["start"], place["end"], text) for place, text in first}
    yield from first
    for place, text in draws(places, texts, seed):
        if (place["file"], place["start"], place["end"], text) not in done:
            yield place, text
