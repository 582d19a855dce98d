"""The CSV files of a run on the virtual PMU (profile.csv, pmc.csv, counts.csv, noise.csv): their first line says whose figures they
are, and it is an error of the run if it does not."""
import csv

MODEL = "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n"


def table(text):
    """The lines of such a text after the first."""
    lines = text.splitlines(keepends=True)
    if lines[:1] != [MODEL]:
        raise ValueError(f"a CSV begins with {lines[:1]}, which does not say MODEL")
    return lines[1:]


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.reader(table(file.read())))


def read_dicts(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(table(file.read())))
