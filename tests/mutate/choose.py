"""Which defects are tried: a choice that depends on the seed and on the text of the lines, not on their numbers.

Every line with a place has the same chance, whatever it holds; on the line every kind has the same chance, then every
place of the kind, then every text. Lines of tables are at most one in TABLE_SHARE of what is drawn.
The rank of a line is a hash of the seed, its file and its text: a change elsewhere leaves the choice as it was.
"""
import hashlib
import random

TABLE_SHARE = 10


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
    """Yields (place, text) without end of lines; every line once, then every line again with another choice."""
    ranked = lines_of(places, texts, seed)
    done = set()
    drawn = tables = 0
    waiting = True
    for turn in range(1000):
        waiting = False
        for key, here in ranked:
            random_choice = random.Random(f"{key} {turn}")
            left = [p for p in here if any((id(p), t) not in done for t in p["texts"])]
            if not left:
                continue
            waiting = True
            if left[0]["table"] and tables * TABLE_SHARE > drawn:
                continue
            kind = random_choice.choice(sorted({p["kind"] for p in left}))
            place = random_choice.choice([p for p in left if p["kind"] == kind])
            text = random_choice.choice([t for t in place["texts"] if (id(place), t) not in done])
            done.add((id(place), text))
            drawn += 1
            tables += place["table"]
            yield place, text
        if not waiting:
            return
