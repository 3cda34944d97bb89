"""A command line: what stands before the command proper is no part of it."""

from __future__ import annotations

import pytest

from roce_lint.platforms.platform import words


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ("sudo -n /usr/sbin/ethtool -a ens1", "ethtool -a ens1"),
        ("timeout 20 mlxconfig -d 0000:5e:00.0 q", "mlxconfig -d 0000:5e:00.0 q"),
        ("LC_ALL=C timeout -k 5 20s dcb -j pfc show dev ens1", "dcb -j pfc show dev ens1"),
        ("nice -n 5 mlnx_qos -i ens1", "mlnx_qos -i ens1"),
        ("env", "env"),
        ("sudo env", "env"),
        ("/sys/class/net/ens1/mtu", "/sys/class/net/ens1/mtu"),
    ],
)
def test_what_stands_before_a_command_is_left_out(given: str, command: str) -> None:
    assert " ".join(words(given)) == command
