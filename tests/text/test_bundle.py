"""Host bundles: every answer, whole or cut, on its own lines of the file; and that a shell can write one."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime

from roce_lint.text.bundle import bundles, is_bundle

TEXT = """#roce-lint-bundle 1 tag=k7 host=gpu1 time=2026-12-01T10:04:05Z uid=0
#k7 begin mlnx_qos -i e1
Priority trust state: dscp
#k8 end 0
#k7 stderr
warning: old
#k7 end 0 2026-12-01T10:04:06Z
#k7 begin /etc/nccl.conf
#k7 end 1
#k7 close 2026-12-01T10:04:09Z
"""


def test_every_answer_stands_on_its_lines() -> None:
    [bundle] = bundles(TEXT)
    assert (bundle.host, bundle.uid, bundle.whole, bundle.line) == ("gpu1", 0, True, 1)
    assert bundle.time == datetime(2026, 12, 1, 10, 4, 5, tzinfo=UTC)
    first, second = bundle.answers
    assert TEXT[first.section.start : first.section.end] == "Priority trust state: dscp\n#k8 end 0\n"
    assert (first.section.first_line, first.section.command, first.section.ends) == (3, "mlnx_qos -i e1", True)
    assert (first.status, first.stderr, first.section.time) == (0, "warning: old\n", datetime(2026, 12, 1, 10, 4, 6, tzinfo=UTC))
    assert (second.section.first_line, second.section.command, second.status) == (9, "/etc/nccl.conf", 1)
    assert TEXT[second.section.start : second.section.end] == ""


def test_several_bundles_in_one_file_keep_their_lines() -> None:
    found = list(bundles("a banner\n" + TEXT + TEXT.replace("gpu1", "gpu2")))
    assert [(each.host, each.line, each.answers[0].section.first_line) for each in found] == [("gpu1", 2, 4), ("gpu2", 12, 14)]


def test_a_bundle_that_is_cut_says_so_and_never_loses_whole_answers() -> None:
    for length in range(len(TEXT)):
        text = TEXT[:length]
        if not is_bundle(text):
            continue
        for bundle in bundles(text):
            assert not bundle.whole or length > TEXT.index("#k7 close")
            for answer in bundle.answers:
                assert 0 <= answer.section.start <= answer.section.end <= length
                assert not answer.section.ends or "#k7 end 0" in text


def test_a_bundle_of_another_version_has_no_answers() -> None:
    [bundle] = bundles(TEXT.replace("bundle 1 ", "bundle 2 "))
    assert (bundle.version, bundle.answers, bundle.whole) == ("2", (), False)


def test_a_shell_writes_one() -> None:
    script = r"""
tag=k7; err=$(mktemp)
printf '#roce-lint-bundle 1 tag=%s host=%s time=%s uid=%s\n' "$tag" h1 "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(id -u)"
ask() {
  printf '#%s begin %s\n' "$tag" "$*"
  out=$("$@" 2>"$err"); status=$?
  [ -z "$out" ] || printf '%s\n' "$out"
  [ ! -s "$err" ] || { printf '#%s stderr\n' "$tag"; cat "$err"; }
  printf '#%s end %s\n' "$tag" "$status"
}
ask echo one two
ask sh -c 'echo lost >&2; exit 3'
printf '#%s close %s\n' "$tag" "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
rm -f "$err"
"""
    text = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=True).stdout
    [bundle] = bundles(text)
    assert [(each.section.command, each.status, text[each.section.start : each.section.end], each.stderr) for each in bundle.answers] == [
        ("echo one two", 0, "one two\n", ""),
        ("sh -c echo lost >&2; exit 3", 3, "", "lost\n"),
    ]
    assert bundle.whole and bundle.host == "h1" and bundle.time is not None


def test_a_question_is_understood_as_behind_a_prompt() -> None:
    [bundle] = bundles(
        "#roce-lint-bundle 1 tag=k7 host=gpu1\n#k7 begin sudo cat /etc/nccl.conf\nA=1\n#k7 end 0\n#k7 begin ethtool -S e1 | grep prio\n#k7 end 0\n"
    )
    first, second = (answer.section for answer in bundle.answers)
    assert (first.command, first.ends) == ("/etc/nccl.conf", True)
    assert (second.command, second.ends) == ("ethtool -S e1", False)
