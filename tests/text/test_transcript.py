"""Transcripts: what is a prompt, what each command answered, and on which line of the file it stands."""

from __future__ import annotations

from roce_lint.text.transcript import asked, sections

QUESTIONS = ("mlnx_qos -i", "show pfc counters", "show version", "/sys/", "nv show")


def known(command: str) -> bool:
    return command.removeprefix("sudo ").startswith(QUESTIONS)


def taken(text: str) -> list[tuple[str | None, str | None, int, str]]:
    return [(each.device, each.command, each.first_line, text[each.start : each.end]) for each in sections(text, known)]


def test_every_command_has_its_answer_its_line_and_its_device() -> None:
    text = "ops@gpu-1:~$ mlnx_qos -i e1\na\nb\nops@gpu-1:~$ sudo mlnx_qos -i e2\nc\nops@gpu-1:~$ \n"
    assert taken(text) == [
        ("gpu-1", "mlnx_qos -i e1", 2, "a\nb\n"),
        ("gpu-1", "sudo mlnx_qos -i e2", 5, "c\n"),
    ]


def test_a_file_that_is_printed_stands_under_its_path() -> None:
    text = "root@gpu-1:~# cat /sys/class/x\n7\nroot@gpu-1:~# sudo cat /sys/class/y\n"
    assert taken(text) == [("gpu-1", "/sys/class/x", 2, "7\n"), ("gpu-1", "/sys/class/y", 4, "")]


def test_prompts_of_every_form_name_their_device() -> None:
    prompts = {
        "ops@gpu-1:~$ show version": "gpu-1",
        "cumulus@leaf07:mgmt:~$ show version": "leaf07",
        "(venv) ops@gpu-1:/opt/x$ show version": "gpu-1",
        "[ops@gpu-1 etc]$ show version": "gpu-1",
        "[root@gpu-1 ~]# show version": "gpu-1",
        "lab@mx1> show version": "mx1",
        "root@mx1.dc.example:~# show version": "mx1.dc.example",
        "leaf1# show version": "leaf1",
        "leaf1#show version": "leaf1",
        "leaf1>show version": "leaf1",
        "leaf1(config-if-Et1)#show version": "leaf1",
        "leaf1.14:32:01#show version": "leaf1",
        "leaf1(s1)(config)# show version": "leaf1",
        "sw-1 [standalone: master] (config) # show version": "sw-1",
        "    leaf1# show version": "leaf1",
        "<edge-4>display version": "edge-4",
        "[~edge-4]display version": "edge-4",
        "root@localhost:~# show version": None,
    }
    found = {prompt: taken(f"{prompt}\nx\n") for prompt in prompts}
    assert {prompt: each[0][0] for prompt, each in found.items()} == prompts
    assert {each[0][1].split()[1] for each in found.values() if each[0][1]} == {"version"}
    assert {each[0][2:] for each in found.values()} == {(2, "x\n")}


def test_a_bare_sigil_is_a_prompt_only_before_a_known_command() -> None:
    assert taken("$ mlnx_qos -i e1\nx\n$ date\ny\n") == [(None, "mlnx_qos -i e1", 2, "x\n"), (None, "date", 4, "y\n")]
    assert taken("$ date\nx\n") == []
    assert taken("# mlnx_qos -i e1\nx\n# a remark in the answer\ny\n") == [(None, "mlnx_qos -i e1", 2, "x\n# a remark in the answer\ny\n")]


def test_a_remark_in_a_configuration_or_a_script_is_no_prompt() -> None:
    assert taken("hostname leaf1\n# show version\ninterface e1\n  mtu 9216\n") == []
    assert taken("#!/bin/sh\n# mlnx_qos -i e1\nmlnx_qos -i e1 --trust dscp\n") == []
    assert taken("# mlnx_qos -i e1\nmlnx_qos -i e1 --trust dscp\n") == []
    assert taken("Ethernet0# uplink\nEthernet4> spine\nuser@example.com # who to ask\n") == []
    assert taken("[Unit]\nDescription=x\n[Service]\nExecStart=/bin/x # y\n") == []


def test_several_devices_in_one_file() -> None:
    text = "leaf1# show version\na\nleaf2# show version\nb\n"
    assert taken(text) == [("leaf1", "show version", 2, "a\n"), ("leaf2", "show version", 4, "b\n")]


def test_what_stands_before_the_first_prompt_is_the_device_s_where_there_is_one() -> None:
    assert taken("mtu 9216\nleaf1# show version\na\n")[0] == ("leaf1", None, 1, "mtu 9216\n")
    assert taken("mtu 9216\nleaf1# show version\na\nleaf2# show version\n")[0] == (None, None, 1, "mtu 9216\n")


def test_traced_commands_of_a_script_are_those_of_the_host_that_ran_it() -> None:
    text = "ops@gpu-1:~$ bash -x rail.sh\n+ IF=e1\n+ mlnx_qos -i e1\nx\n"
    assert taken(text)[1:] == [("gpu-1", "IF=e1", 3, ""), ("gpu-1", "mlnx_qos -i e1", 4, "x\n")]


def test_a_filter_shows_a_part_of_the_answer() -> None:
    assert asked("show run | no-more") == ("show run", True)
    assert asked("nv show qos roce | less") == ("nv show qos roce", True)
    assert asked("show run | include pfc") == ("show run", False)
    assert asked("mlnx_qos -i e1 2>/dev/null | grep PFC") == ("mlnx_qos -i e1", False)
    assert [each.ends for each in sections("leaf1# show version | grep x\nx\nleaf1# show version\nx\n", known)] == [False, True]


def test_a_text_without_a_line_feed_at_its_end_is_read_to_its_end() -> None:
    assert taken("leaf1# show version") == [("leaf1", "show version", 2, "")]
    assert taken("leaf1# show version\na") == [("leaf1", "show version", 2, "a")]


def test_a_fence_ends_an_answer() -> None:
    text = "Some prose.\n  ```\n  admin@leaf1:~$ show pfc priority\n  rows\n  ```\nMore prose.\n"
    found = [text[each.start : each.end] for each in sections(text, lambda command: command.startswith("show pfc"))]
    assert found[-1] == "  rows\n"
