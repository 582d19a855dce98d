# SPDX-License-Identifier: BSD-2-Clause
"""All rooms: those that are compiled (build.py) and those of scripts (scripts.py). Each has the same four sides: its files (mutable), the
places in a file, a trial with judge(), and the beginning of its files' paths."""
import build
import defects
import scripts
import trial

STARTS = {**{name: (start,) for name, start in build.ROOMS.items()}, **scripts.ROOMS}


def read(tree, names):
    """{name: room}."""
    compiled = [name for name in names if name in build.ROOMS]
    rooms = build.read_rooms(tree, compiled) if compiled else {}
    return {name: rooms[name] if name in rooms else scripts.ScriptRoom(tree, name) for name in names}


def places(tree, room, pool):
    """Jobs of the pool, one for each file: its places."""
    if room.name in scripts.ROOMS:
        return [pool.submit(scripts.places, tree, path) for path in room.mutable]
    return [pool.submit(defects.places, tree, path, build.clang_flags(room.flags[path])) for path in room.mutable]


def make_trial(shop, room, sanitizers, count):
    return scripts.ScriptTrial(shop, room, count) if room.name in scripts.ROOMS else trial.CompiledTrial(shop, room, sanitizers)
