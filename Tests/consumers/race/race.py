"""The Python program of the race: see README.md."""

import os
import signal
import time

import firsttime


def meet(place):
    open(f"{place}.python", "w").close()
    for language in ["c", "python", "rust", "swift"]:
        while not os.path.exists(f"{place}.{language}"):
            time.sleep(0.001)


def append(key):
    with open("runs.txt", "a") as file:
        file.write(f"{key} python\n")
    time.sleep(0.001)


signal.alarm(120)
with firsttime.Store("race.archive", app_version="python") as store:
    store.set_clock(lambda: 1700000002)
    meet("ready")
    for index in range(200):
        key = f"key.{index:03}"
        if store.execute_once(key, lambda: append(key)) == firsttime.Outcome.RAN:
            time.sleep(0.005)
    meet("done")
    with open("records.python", "w") as file:
        for record in store.records():
            times = record.last_time.timestamp(), record.first_time.timestamp()
            print(record.key, record.last_version, record.first_version, *map(int, times), record.count, file=file)
