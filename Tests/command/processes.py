"""What happens to the processes of a run: signals, kills, terminals, many at once. Never judges how long something takes."""

import os
import random
import signal
import subprocess
import time

from tool import LIMIT, TOOL, Place, Terminal, children, is_alive, run_all, same, status_of, wait_until

# Says that it runs, by its process number, and then waits.
WAITS = "echo $$ >>pids; exec sleep 1000"
# Takes its time to end: after SIGTERM it goes on for a moment, and says when it is over.
SLOW = 'trap "sleep 0.5; echo end >>log; exit 1" TERM; echo begin >>log; echo $$ >pids; while :; do sleep 0.05; done'


def pid(place):
    wait_until("CMD to begin", lambda: place.read("pids").endswith("\n"))
    return int(place.read("pids").split()[-1])


def test_two_hundred_at_once():
    place = Place()
    processes = [place.start("once", "key", "--", "sh", "-c", "echo run >>log; sleep 0.3") for _ in range(200)]
    for process in processes:
        error = process.communicate(timeout=LIMIT)[1]
        same("status of one of many: %r" % error, process.returncode, 0)
    same("runs", place.read("log"), "run\n")
    same("count", '"count": 1,' in place.check("show", "key", "--json"), True)


def test_many_at_once_when_it_fails():
    place = Place()
    processes = [place.start("once", "key", "--", "sh", "-c", "echo run >>log; exit 3") for _ in range(20)]
    same("statuses", {process.wait(LIMIT) for process in processes}, {3})
    same("runs", place.read("log"), "run\n" * 20)


def test_signals_reach_the_program():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGQUIT, signal.SIGALRM, 40):
        place = Place()
        tool = place.start("once", "key", "--", "sh", "-c", WAITS)
        program = pid(place)
        tool.send_signal(number)
        same("status after %s" % number, tool.wait(LIMIT), 128 + number)
        same("CMD lives after %s" % number, is_alive(program), False)
        same("due after %s" % number, place.is_due("key"), True)


def test_a_program_that_handles_a_signal_decides():
    place = Place()
    tool = place.start(
        "once", "key", "--", "sh", "-c", 'trap "echo got; exit 0" USR1; echo $$ >pids; while :; do sleep 0.05; done'
    )
    pid(place)
    tool.send_signal(signal.SIGUSR1)
    same("output", tool.communicate(timeout=LIMIT)[0], b"got\n")
    same("status", tool.returncode, 0)
    same("due", place.is_due("key"), False)


def test_a_signal_for_the_group_comes_once():
    script = 'trap "echo got >>log" TERM USR1; echo $$ >pids; while [ ! -e stop ]; do sleep 0.02; done'
    for send in (lambda tool: os.killpg(tool.pid, signal.SIGUSR1), lambda tool: tool.send_signal(signal.SIGUSR1)):
        place = Place()
        tool = place.start("once", "key", "--", "bash", "-c", script, start_new_session=True)
        pid(place)
        for count in range(1, 4):
            send(tool)
            wait_until("the signal", lambda: place.read("log") == "got\n" * count)
            time.sleep(0.2)
            same("signals that CMD got", place.read("log"), "got\n" * count)
        open(place.file("stop"), "w").close()
        same("status", tool.wait(LIMIT), 0)


def test_signals_at_the_programs_end_leave_its_status():
    for _ in range(20):
        place = Place()
        tool = place.start("once", "key", "--", "sh", "-c", "echo $$ >pids; sleep 0.02; exit 7")
        pid(place)
        while tool.poll() is None:
            tool.send_signal(signal.SIGWINCH)
        same("status: %r" % tool.stderr.read(), tool.returncode, 7)


def test_a_program_with_a_group_of_its_own_gets_the_groups_signals_too():
    place = Place()
    tool = place.start("once", "key", "--", "setsid", "sh", "-c", WAITS, start_new_session=True)
    program = pid(place)
    os.killpg(tool.pid, signal.SIGTERM)
    same("status", tool.wait(LIMIT), 128 + signal.SIGTERM)
    same("CMD lives", is_alive(program), False)


def test_signals_before_the_program_runs_end_the_tool():
    for number in (signal.SIGTERM, signal.SIGINT):
        place = Place()
        first = place.start("once", "key", "--", "sh", "-c", WAITS)
        pid(place)
        second = place.start("once", "key", "--", "sh", "-c", "echo second >>log")
        wait_until("a keeper", lambda: children(second.pid))
        second.send_signal(number)
        same("status", second.wait(LIMIT), 128 + number)
        same("errors", second.stderr.read(), b"")
        first.terminate()
        first.wait(LIMIT)
        same("second ran", place.read("log"), "")


def test_killing_one_that_waits_leaves_nobody():
    place = Place()
    first = place.start("once", "key", "--", "sh", "-c", WAITS)
    pid(place)
    second = place.start("once", "key", "--", "sh", "-c", "echo second >>log")
    wait_until("a keeper", lambda: children(second.pid))
    keeper = children(second.pid)[0]
    second.kill()
    second.wait(LIMIT)
    wait_until("the keeper's end", lambda: not is_alive(keeper))
    first.terminate()
    same("status", first.wait(LIMIT), 143)
    same("due", place.is_due("key"), True)
    same("second ran", place.read("log"), "")


def test_no_second_program_beside_that_of_a_killed_tool():
    place = Place()
    first = place.start("once", "key", "--", "bash", "-c", SLOW)
    program = pid(place)
    second = place.start("once", "key", "--", "sh", "-c", "echo second >>log")
    first.kill()
    same("status", status_of(first.wait(LIMIT)), 137)
    same("status of the next", second.wait(LIMIT), 0)
    same("order", place.read("log"), "begin\nend\nsecond\n")
    same("CMD lives", is_alive(program), False)


def test_never_two_programs_whoever_is_killed():
    """Tools are killed all the time, at any moment of their lives; CMDs take their time to end."""
    place = Place()
    script = (
        'trap "sleep 0.03; rmdir busy; exit 1" TERM; mkdir busy || { echo overlap >>log; exit 1; }; echo >>runs\n'
        "sleep 0.05 & wait; rmdir busy; exit 1"
    )
    chance = random.Random(7)
    tools = []
    for _ in range(120):
        tools.append(
            place.start("once", "key", "--", "bash", "-c", script, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )
        time.sleep(chance.random() * 0.03)
        if len(tools) > 6:
            victim = tools.pop(chance.randrange(len(tools)))
            victim.kill()
            victim.wait(LIMIT)
    for tool in tools:
        same("status", tool.wait(LIMIT), 1)
    same("two at once", place.read("log"), "")
    assert len(place.read("runs")) > 5, place.read("runs")
    same("due", place.is_due("key"), True)


def test_a_killed_tool_records_nothing_even_if_the_program_is_successful():
    place = Place()
    first = place.start("once", "key", "--", "bash", "-c", SLOW.replace("exit 1", "exit 0"))
    pid(place)
    keeper = children(first.pid)[0]
    first.kill()
    wait_until("the keeper's end", lambda: not is_alive(keeper))
    same("log", place.read("log"), "begin\nend\n")
    same("due", place.is_due("key"), True)


def test_killing_the_keeper_ends_the_program():
    place = Place()
    tool = place.start("once", "key", "--", "sh", "-c", WAITS)
    program = pid(place)
    os.kill(children(tool.pid)[0], signal.SIGKILL)
    same("status", tool.wait(LIMIT), 137)
    assert b"the process that keeps the key was killed" in tool.stderr.read()
    wait_until("CMD's end", lambda: not is_alive(program))
    same("due", place.is_due("key"), True)


def test_killing_the_group_ends_all():
    place = Place()
    tool = place.start("once", "key", "--", "sh", "-c", "trap '' TERM; " + WAITS, start_new_session=True)
    program = pid(place)
    keeper = children(tool.pid)[0]
    os.killpg(tool.pid, signal.SIGKILL)
    tool.wait(LIMIT)
    wait_until("the end of all", lambda: not is_alive(program) and not is_alive(keeper))
    place.check("once", "key", "--no-wait", "--", "true")


def test_a_stopped_program_of_a_killed_tool_ends():
    place = Place()
    tool = place.start("once", "key", "--", "sh", "-c", WAITS)
    program = pid(place)
    os.kill(program, signal.SIGSTOP)
    tool.kill()
    wait_until("CMD's end", lambda: not is_alive(program))


def test_descendants_hold_nothing():
    place = Place()
    with open(os.devnull, "w") as null:
        place.check("every", "0.001s", "key", "--", "sh", "-c", "sleep 1000 & echo $! >child", stdout=null, stderr=null)
    child = int(place.read("child"))
    place.check("every", "0.001s", "key", "--no-wait", "--", "sh", "-c", "echo ran >log")
    same("the second", place.read("log"), "ran\n")
    os.kill(child, signal.SIGKILL)


def test_the_program_gets_what_the_tool_got():
    script = (
        "import os, signal\n"
        "print(sorted(int(fd) for fd in os.listdir('/proc/self/fd') if int(fd) < 1000 and os.path.exists('/proc/self/fd/' + fd)))\n"
        "print(sorted(int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, [])))\n"
        "print([line for line in open('/proc/self/status') if line.startswith(('SigBlk', 'SigIgn', 'SigPnd', 'ShdPnd'))])\n"
        "print(os.getpgrp(), os.getsid(0))\n"
    )

    def before():
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)

    place = Place()
    direct = subprocess.run(
        ["python3", "-c", script],
        preexec_fn=before,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=place.environment,
    )
    through = place.run("once", "key", "--", "python3", "-c", script, preexec_fn=before)
    same("status", through[0], 0)
    same("what CMD has", through[1], direct.stdout)
    same("due", place.is_due("key"), False)


def test_closed_descriptors_stay_closed():
    for descriptor in (0, 1, 2):
        place = Place()
        check = '"$0" once key -- sh -c "[ ! -e /proc/self/fd/%d ] && echo >ran" %d>&-' % (descriptor, descriptor)
        same("status", subprocess.run(["sh", "-c", check, TOOL], env=place.environment, cwd=place.path).returncode, 0)
        same("ran with %d closed" % descriptor, place.read("ran"), "\n")
        same("due", place.is_due("key"), False)


def test_the_tool_has_one_process_by_its_name():
    place = Place()
    tool = place.start("once", "key", "--", "sh", "-c", WAITS)
    pid(place)
    names = []
    for process in (tool.pid, *children(tool.pid)):
        with open("/proc/%d/comm" % process) as comm, open("/proc/%d/cmdline" % process) as line:
            names.append((comm.read().strip(), os.path.basename(line.read().split("\0")[0]).strip()))
    same("names", names, [("firsttime", "firsttime"), ("key-keeper", "key-keeper")])
    tool.terminate()
    same("status", tool.wait(LIMIT), 143)


def test_a_busy_key():
    place = Place()
    first = place.start("once", "key", "--", "sh", "-c", WAITS)
    pid(place)
    for option in (["--no-wait"], ["--wait", "20ms"], ["--wait", "0"]):
        status, out, error = place.run("once", "key", *option, "--", "echo", "second")
        same("status", (status, out), (125, ""))
        assert error.startswith("firsttime: key: "), error
    same("another key", place.run("once", "other", "--no-wait", "--", "echo", "other")[:2], (0, "other\n"))
    first.terminate()
    same("status", first.wait(LIMIT), 143)


def test_at_most_once():
    for kill in ("tool", "program", "group"):
        place = Place()
        tool = place.start("once", "key", "--at-most-once", "--", "sh", "-c", WAITS, start_new_session=True)
        program = pid(place)
        keeper = children(tool.pid)[0]
        if kill == "tool":
            tool.kill()
        elif kill == "program":
            os.kill(program, signal.SIGKILL)
        else:
            os.killpg(tool.pid, signal.SIGKILL)
        tool.wait(LIMIT)
        wait_until("the end of all", lambda: not is_alive(program) and not is_alive(keeper))
        same("due after %s was killed" % kill, place.is_due("key"), False)
    place = Place()
    for arguments, status in ((["sh", "-c", "exit 3"], 3), (["./nothing"], 127)):
        place.check("once", "key", "--at-most-once", "--", *arguments, status=status)
        same("due after a failure", place.is_due("key"), True)
    place.check("once", "key", "--at-most-once", "--", "true")
    same("due", place.is_due("key"), False)


def test_interrupt_at_a_terminal():
    place = Place()
    terminal = Terminal(
        place,
        "once",
        "key",
        "--",
        "bash",
        "-c",
        'trap "echo interrupted >>log; exit 5" INT; echo $$ >pids; echo ready; while :; do sleep 0.05; done',
    )
    terminal.expect("ready")
    terminal.type("\x03")
    status, text = terminal.end()
    same("status", status, 5)
    same("interrupts", place.read("log"), "interrupted\n")
    same("due", place.is_due("key"), True)


def test_a_program_reads_the_terminal():
    place = Place()
    terminal = Terminal(place, "once", "key", "--", "sh", "-c", "read line; echo got $line")
    terminal.type("hello\n")
    same("status", terminal.end()[0], 0)
    assert b"got hello" in terminal.text, terminal.text


def state(process):
    with open("/proc/%d/stat" % process) as file:
        return file.read().rsplit(")", 1)[1].split()[0]


def test_job_control():
    place = Place(PS1="$ ")
    terminal = Terminal(place, "--norc", "--noprofile", "-i", program="/bin/bash")
    terminal.type(
        "%s once key -- bash -c 'echo $$ >pids; echo rea\"\"dy; while [ ! -e stop ]; do sleep 0.02; done'\n" % TOOL
    )
    terminal.expect("ready")
    program = pid(place)
    for stop in ("terminal", "program"):
        terminal.text = b""
        if stop == "terminal":
            terminal.type("\x1a")
        else:
            os.kill(program, signal.SIGSTOP)
        terminal.expect("Stopped")
        same("state of CMD, stopped by the " + stop, state(program), "T")
        terminal.type("fg\n")
        wait_until("CMD to go on", lambda: state(program) != "T")
        # Only now may it be stopped again: the shell has to have seen that it goes on.
        wait_until("the shell to wait", lambda: (terminal.read(), terminal.text.count(b"once key"))[1] > 1)
    open(place.file("stop"), "w").close()
    terminal.expect("$ ")
    terminal.type("echo status $?\n")
    terminal.expect("status 0")
    terminal.type("exit\n")
    terminal.end()
    same("due", place.is_due("key"), False)


def test_job_control_of_one_that_waits():
    place = Place(PS1="$ ")
    first = place.start(
        "once", "key", "--", "sh", "-c", "echo $$ >pids; while [ ! -e stop ]; do sleep 0.02; done; exit 1"
    )
    pid(place)
    terminal = Terminal(place, "--norc", "--noprofile", "-i", program="/bin/bash")
    terminal.type('echo rea""dy; %s once key -- echo se""cond\n' % TOOL)
    terminal.expect("ready")
    wait_until("the tool", lambda: children(terminal.process) and children(children(terminal.process)[0]))
    terminal.type("\x1a")
    terminal.expect("Stopped")
    open(place.file("stop"), "w").close()
    same("status", first.wait(LIMIT), 1)
    terminal.type("fg\n")
    terminal.expect("second")
    terminal.type("exit\n")
    terminal.end()
    same("due", place.is_due("key"), False)


def test_hangup_of_the_terminal():
    # Several signals come at once, and some after CMD has ended.
    for _ in range(12):
        place = Place()
        terminal = Terminal(place, "once", "key", "--", "sh", "-c", "echo ready; " + WAITS)
        terminal.expect("ready")
        program = pid(place)
        os.close(terminal.descriptor)
        same("status", status_of(os.waitstatus_to_exitcode(os.waitpid(terminal.process, 0)[1])), 129)
        wait_until("CMD's end", lambda: not is_alive(program))


def test_timeout_of_coreutils():
    place = Place()
    for options in ([], ["--foreground"]):
        result = subprocess.run(
            ["timeout", *options, "0.3", TOOL, "once", "key", "--", "sh", "-c", WAITS],
            env=place.environment,
            cwd=place.path,
        )
        same("status", result.returncode, 124)
        same("CMD lives", is_alive(pid(place)), False)
    same("due", place.is_due("key"), True)


def test_pipes_end_with_the_program():
    place = Place()
    tool = place.start(
        "once", "key", "--", "bash", "-c", "echo $$ >pids; echo out; exec >&-; while [ ! -e stop ]; do sleep 0.02; done"
    )
    same("output", tool.stdout.read(), b"out\n")
    same("tool runs still", tool.poll(), None)
    open(place.file("stop"), "w").close()
    same("status", tool.wait(LIMIT), 0)


def test_a_key_inside_its_own_command_fails_at_once():
    place = Place()
    inner = ["once", "other", "--store", "./link/../archive", "--", TOOL, "once", "key", "--store", "archive", "--"]
    os.mkdir(place.file("link"))
    place.check("once", "key", "--store", "archive", "--", TOOL, *inner, "echo", "ran", status=125, out="")
    status, _, error = place.run("once", "key", "--", TOOL, "once", "key", "--", "echo", "ran")
    same("status", status, 125)
    assert "inside its own command" in error, error
    # Another key, or the same of another store, is nothing to refuse.
    others = [TOOL, "once", "b", "--", TOOL, "once", "a", "--app", "x", "--", "echo", "ran"]
    place.check("once", "a", "--", *others, out="ran\n")


def test_what_a_command_leaves_behind_is_not_inside_it():
    place = Place()
    late = '(while [ ! -e go ]; do sleep 0.02; done; "$0" once key -- echo late >out 2>&1; echo >end)'
    script = late + " >/dev/null 2>&1 & exit 1"
    place.check("once", "key", "--", "sh", "-c", script, TOOL, status=1)
    open(place.file("go"), "w").close()
    wait_until("what was left behind", lambda: place.read("end"))
    same("output", place.read("out"), "late\n")


run_all(globals())
