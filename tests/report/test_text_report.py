"""The text report, whole."""

from __future__ import annotations

from roce_lint.model.plan import Plan
from roce_lint.report.result import Result
from roce_lint.report.text import printable, ranges, text

WHOLE = """\
critical[pfc-closed] rdma: gpu1/eth0 -> leaf1/p1 (and 2 more ports)
  leaf1/p1 pauses {}; gpu1/eth0 obeys {3}
  --> leaf1/config_db.json:812   receiver.port.pfc.priorities = {4}
      | "pfc_enable": "4",
  --> example:1   receiver.port.trust = dscp
  --> example:1   receiver.port.dscp_to_priority[26] = 3
  --> example:1   receiver.port.priority_to_group[3] = 3
  --> example:1   sender.port.pfc.priorities = {3}
  --> example:1   want.loss = lossless
  = want on leaf1/p1 (and 2 more ports): pfc.priorities = {3}
  = leads to warning[pfc-same] leaf1/p1 - gpu1/eth0 (and 2 more ports)
      gpu1/eth0 has {3}, leaf1/p1 has {4}

error[mtu-enough] gpu2/eth0
  gpu2/eth0 has an MTU of 1500
  --> gpu2 $ mlnx_qos -i eth0:21 (gpu2.txt)   port.mtu = 1500
      | mtu 1500 ?[3m
  = want on gpu2/eth0: mtu = 9000

not judged: 4 of 29 judgements, for want of what nothing stated:
  leaf1: mtu (1)
  spine1: the other end (3)
plan, profile example: rdma lossless, DSCP 26, PFC 3; cnp lossy, DSCP 48, PCP 6
1 line not understood (--notes lists them)
not read: old.bin: no text
1 critical, 1 error, 0 warnings, 0 info, 1 consequence folded; 15 held, 4 unknown, 86 % judged; 6 devices, 11 ports, 5 links
"""


def test_a_report_says_what_is_wrong_where_it_stands_and_what_was_not_seen(result: Result) -> None:
    assert text(result) == WHOLE


def test_notes_are_listed_when_they_are_asked_for(result: Result) -> None:
    assert text(result, notes=True) == WHOLE.replace(
        "1 line not understood (--notes lists them)\n",
        "note: gpu2 $ mlnx_qos -i eth0:30 (gpu2.txt): a setting expected\n      | a strange line\n",
    )


def test_nothing_recognised_and_nothing_in_scope_take_one_line() -> None:
    empty = Result(Plan())
    assert text(empty) == "nothing to read: no file there\n"


def test_what_a_terminal_would_obey_is_not_printed() -> None:
    assert printable("a\x1b[31m\tb\u202e") == "a?[31m b?"


def test_runs_of_numbers_are_drawn_together() -> None:
    assert ranges([48, 24, 25, 26, 3]) == "3, 24-26, 48"
