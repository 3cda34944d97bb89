"""An intent over its profile, value by value: each wanted value cites the line that states it."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_lint.errors import RoceLintError
from roce_lint.fabric.intentions import Intended, combined, found, intended, profile
from roce_lint.fabric.layers import layer
from roce_lint.model.facts import Fact
from roce_lint.model.plan import FabricPlan, Plan, Want
from roce_lint.text.userfile import UserFileErrors, parsed

PROFILE = """\
name: house
classes:
  bulk: {role: rdma_data, dscp: [34], pfc_priority: 4, loss: lossless, share: 40}
  notice:
    role: cnp
    dscp: [50]
    loss: lossy
limits: {max_lossless: 2, global_pause: false}
ecn:
  - {kmin: 100KB, kmax: 400KB}
watchdog: {required: recommended, detect_ms: [100, 400]}
"""


def wanted(text: str, beneath: str | None = PROFILE) -> Intended:
    under = layer(parsed("house.yaml", beneath), "profiles/house.yaml") if beneath is not None else None
    return combined(layer(parsed("roce-lint.yaml", text), "roce-lint.yaml"), under)


def fabric(text: str, beneath: str | None = PROFILE) -> FabricPlan:
    (only,) = wanted(text, beneath).plan.fabrics
    return only


def said(fact: Fact[object] | None) -> tuple[object, str] | None:
    """A wanted value with the place of its line."""
    return (fact.value, fact.lines[0].place) if fact is not None and fact.basis == "wanted" else None


def of(want: Want | None) -> dict[str, tuple[object, str] | None]:
    assert want is not None
    names = ("role", "loss", "dscp", "pcp", "pfc_priority", "scheduling", "share", "with_data", "may_share_with")
    return {name: said(getattr(want, name)) for name in names if getattr(want, name) is not None}


def test_a_class_of_the_same_name_is_laid_over_that_of_the_profile_field_by_field() -> None:
    text = "classes:\n  bulk:\n    dscp: [35, 36]\n    share:\n  extra: {dscp: 8, may_share_with: bulk}\n"
    plan = fabric(text)
    assert [want.name for want in plan.classes] == ["bulk", "notice", "extra"]
    assert of(plan.want("bulk")) == {
        "role": ("rdma_data", "profiles/house.yaml:3"),
        "loss": ("lossless", "profiles/house.yaml:3"),
        "dscp": (frozenset({35, 36}), "roce-lint.yaml:3"),
        "pfc_priority": (4, "profiles/house.yaml:3"),
    }
    assert of(plan.want("extra")) == {
        "role": ("rdma_data", "roce-lint.yaml:5"),
        "loss": ("lossy", "roce-lint.yaml:5"),
        "dscp": (frozenset({8}), "roce-lint.yaml:5"),
        "may_share_with": (frozenset({"bulk"}), "roce-lint.yaml:5"),
    }


def test_a_setting_is_laid_over_that_of_the_profile_and_nothing_takes_it_away() -> None:
    text = "limits:\n  max_lossless:\n  dcbx: {willing: none}\nwatchdog:\n  required: yes\napps: {nccl: {NCCL_IB_TC: 138, GIN: null}}\n"
    settings = fabric(text).settings
    assert {path: said(fact) for path, fact in settings.items()} == {
        "watchdog.required": ("yes", "roce-lint.yaml:5"),
        "limits.global_pause": (False, "profiles/house.yaml:8"),
        "watchdog.detect_ms": ((100, 400), "profiles/house.yaml:11"),
        "limits.dcbx_willing": ("none", "roce-lint.yaml:3"),
        "apps.nccl.NCCL_IB_TC": (138, "roce-lint.yaml:6"),
        "apps.nccl.GIN": (None, "roce-lint.yaml:6"),
    }


def test_thresholds_stand_before_those_that_lie_beneath() -> None:
    text = "ecn:\n  - {match: {speed: 400G}, kmin: 1MB}\nfabrics:\n  a:\n    ecn:\n      - {pmax: 5%, weight: 0}\n"
    found = fabric(text).ecn
    assert [dict(each.match) for each in found] == [{}, {"speed": [400_000_000_000]}, {}]
    assert [said(each.mark_probability) for each in found] == [(0.05, "roce-lint.yaml:6"), None, None]
    assert [said(each.kmin_bytes) for each in found] == [None, (1_000_000, "roce-lint.yaml:2"), (100_000, "profiles/house.yaml:10")]


def test_a_fabric_states_its_own_over_what_the_file_wants_of_all() -> None:
    text = (
        "classes:\n  bulk: {share: 50}\nfabrics:\n  compute: {match: {device: 'gpu*'}}\n  disks:\n    match: {device: [nvme*]}\n"
        "    classes: {bulk: {dscp: [20]}}\n    limits: {max_lossless: 1}\n    families: [ipv4]\n"
    )
    compute, disks = wanted(text).plan.fabrics
    assert (compute.name, compute.match, disks.name, disks.match) == ("compute", {"device": ["gpu*"]}, "disks", {"device": ["nvme*"]})
    assert (said(compute.want("bulk").dscp), said(disks.want("bulk").dscp)) == (  # type: ignore[union-attr]
        (frozenset({34}), "profiles/house.yaml:3"),
        (frozenset({20}), "roce-lint.yaml:7"),
    )
    assert said(disks.want("bulk").share) == (50.0, "roce-lint.yaml:2")  # type: ignore[union-attr]
    assert (said(compute.settings["limits.max_lossless"]), said(disks.settings["limits.max_lossless"])) == (
        (2, "profiles/house.yaml:8"),
        (1, "roce-lint.yaml:8"),
    )
    assert said(disks.settings["families"]) == (("ipv4",), "roce-lint.yaml:9")


def test_the_loss_model_of_a_fabric_is_that_of_its_data_and_leaves_the_rest() -> None:
    classes = (
        "classes:\n  bulk: {dscp: 1}\n  disks: {role: storage, loss: pfc_only}\n  grant: {role: rdma_ctrl, dscp: 2}\n"
        "  notice: {role: cnp, pfc_priority: 6}\n  spare: {loss: lossy}\n"
    )
    text = classes + "fabrics:\n  a: {loss_model: edge_lossless}\n  b: {loss_model: lossy, classes: {disks: {loss: lossless}}}\n  c: {}\n"
    losses = {each.name: {want.name: said(want.loss) for want in each.classes} for each in wanted(text, None).plan.fabrics}
    assert losses == {
        "a": {
            "bulk": ("edge_lossless", "roce-lint.yaml:8"),
            "disks": ("edge_lossless", "roce-lint.yaml:8"),
            "grant": ("lossy", "roce-lint.yaml:4"),
            "notice": ("lossy", "roce-lint.yaml:5"),
            "spare": ("lossy", "roce-lint.yaml:6"),
        },
        "b": {
            "bulk": ("lossy", "roce-lint.yaml:9"),
            "disks": ("lossless", "roce-lint.yaml:9"),
            "grant": ("lossy", "roce-lint.yaml:4"),
            "notice": ("lossy", "roce-lint.yaml:5"),
            "spare": ("lossy", "roce-lint.yaml:6"),
        },
        "c": {
            "bulk": ("lossy", "roce-lint.yaml:2"),
            "disks": ("pfc_only", "roce-lint.yaml:3"),
            "grant": ("lossy", "roce-lint.yaml:4"),
            "notice": ("lossy", "roce-lint.yaml:5"),
            "spare": ("lossy", "roce-lint.yaml:6"),
        },
    }


def test_without_a_profile_nothing_is_wanted_but_what_the_file_says() -> None:
    plan = fabric("limits: {global_pause: false}\n", None)
    assert (plan.name, plan.match, plan.classes, plan.ecn) == ("fabric", None, (), ())
    assert {path: said(fact) for path, fact in plan.settings.items()} == {
        "limits.max_lossless": (7, "built-in policy:1"),
        "watchdog.required": ("recommended", "built-in policy:2"),
        "limits.global_pause": (False, "roce-lint.yaml:1"),
    }


def test_without_an_intent_and_a_profile_there_is_no_plan() -> None:
    assert intended(None) == Intended(Plan())


@pytest.mark.parametrize(
    ("name", "classes", "required", "kmin"),
    [
        (
            "nvidia-cumulus-lossless",
            {
                "rdma": (frozenset({26}), frozenset({3}), 3, "lossless", None),
                "cnp": (frozenset({48}), frozenset({6}), None, "lossy", "strict"),
            },
            "recommended",
            (150_000, 1_500_000, 1.0),
        ),
        (
            "sonic-azure",
            {
                "rdma3": (frozenset({3}), None, 3, "lossless", None),
                "rdma4": (frozenset({4}), None, 4, "lossless", None),
                "cnp": (frozenset({48}), None, None, "lossy", "dwrr"),
            },
            "yes",
            (1_048_576, 2_097_152, 0.05),
        ),
    ],
)
def test_a_shipped_profile_has_its_numbers(
    name: str, classes: dict[str, tuple[object, ...]], required: str, kmin: tuple[float, ...]
) -> None:
    plan = intended(None, name).plan
    (only,) = plan.fabrics
    assert plan.profile == name
    assert {
        want.name: tuple(fact and fact.value for fact in (want.dscp, want.pcp, want.pfc_priority, want.loss, want.scheduling))
        for want in only.classes
    } == classes
    assert only.settings["watchdog.required"].value == required
    assert only.settings["limits.max_lossless"].value == 2
    (ecn,) = only.ecn
    assert tuple(fact and fact.value for fact in (ecn.kmin_bytes, ecn.kmax_bytes, ecn.mark_probability)) == kmin
    assert {fact.lines[0].document.path for fact in only.settings.values()} == {f"profiles/{name}.yaml"}


def test_a_profile_can_be_given_as_data() -> None:
    given = {"house": parsed("house.yaml", PROFILE)}
    (plan,) = combined(None, profile("house", given)).plan.fabrics
    assert said(plan.classes[0].pfc_priority) == (4, "profiles/house.yaml:3")


def test_a_profile_that_is_not_there_is_named_at_the_line_that_asks_for_it(tmp_path: Path) -> None:
    path = tmp_path / "roce-lint.yaml"
    path.write_text("schema: roce-lint/intent/v1\nprofile: sonic-azur\n")
    with pytest.raises(RoceLintError) as raised:
        intended(str(path))
    assert str(raised.value) == f"{path}:2: no profile 'sonic-azur'; did you mean 'sonic-azure'?"


def test_an_intent_is_found_upwards_from_the_input(tmp_path: Path) -> None:
    deep = tmp_path / "site" / "rack1" / "leaf1"
    deep.mkdir(parents=True)
    (deep / "config.json").write_text("{}")
    above = tmp_path / "site" / "roce-lint.yaml"
    above.write_text("schema: roce-lint/intent/v1\n")
    assert found([str(deep)]) == str(above)
    assert found([str(deep / "config.json")]) == str(above)
    assert found([str(tmp_path / "elsewhere"), str(deep)]) == str(above)
    nearer = deep.parent / "roce-lint.yaml"
    nearer.write_text("schema: roce-lint/intent/v1\n")
    assert found([str(deep)]) == str(nearer)
    assert found([str(tmp_path)]) is None


HEADER = "device_a,port_a,device_b,port_b,length_m\n"


def cabled(tmp_path: Path, text: bytes) -> Intended:
    (tmp_path / "cables.csv").write_bytes(text)
    (tmp_path / "ours").mkdir(exist_ok=True)
    (tmp_path / "more.yaml").touch()
    path = tmp_path / "roce-lint.yaml"
    path.write_text("rules: [ours, more.yaml]\nlinks:\n  file: cables.csv\n")
    return intended(str(path))


def test_cables_come_from_a_csv_beside_the_file(tmp_path: Path) -> None:
    found = cabled(
        tmp_path, b"\xef\xbb\xbf" + HEADER.encode() + b'gpu1, p0 ,leaf1,"Ethernet1/1",5\r\n\r\nleaf1,Ethernet8,spine1,Ethernet0,\r\n'
    )
    assert [(str(each.a.value), str(each.b.value), said(each.a), said(each.length_m)) for each in found.cables] == [
        ("gpu1/p0", "leaf1/Ethernet1/1", (found.cables[0].a.value, "cables.csv:2"), (5, "cables.csv:2")),
        ("leaf1/Ethernet8", "spine1/Ethernet0", (found.cables[1].a.value, "cables.csv:4"), None),
    ]
    assert found.packs == (str(tmp_path / "ours"), str(tmp_path / "more.yaml"))


def test_cables_may_stand_in_the_file() -> None:
    row = "  - {device_a: gpu1, port_a: p0, device_b: leaf1, port_b: swp1"
    found = wanted(f"links:\n{row}}}\n{row},\n     length_m: 7}}\n", None)
    assert [(str(each.a.value), str(each.b.value), each.b.lines[0].place, said(each.length_m)) for each in found.cables] == [
        ("gpu1/p0", "leaf1/swp1", "roce-lint.yaml:2", None),
        ("gpu1/p0", "leaf1/swp1", "roce-lint.yaml:3", (7, "roce-lint.yaml:4")),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", ["1: the header device_a,port_a,device_b,port_b,length_m expected, found nothing"]),
        (b"a,b,c\n1,2,3\n", ["1: the header device_a,port_a,device_b,port_b,length_m expected; the first row lacks device_a"]),
        (
            b"length_m,device_a,port_a,device_b,port_b\n",
            ["1: the header device_a,port_a,device_b,port_b,length_m expected; the first row has more, or another order"],
        ),
        (b"root:x:0:secret\n", ["1: the header device_a,port_a,device_b,port_b,length_m expected; the first row lacks device_a"]),
        (HEADER.encode() + b"a,b\x00,c,d,1\n", ["2: names in print expected, found 'a,b\\x00,c,d,1'"]),
        (
            HEADER.encode() + b"gpu1,p0,leaf1\ngpu1,p0,leaf1,swp1,5 m\ngpu1,p0,leaf1,swp1,5\ngpu1,,leaf1,swp1,5\n",
            [
                "2: device_a,port_a,device_b,port_b,length_m expected, found gpu1,p0,leaf1",
                "3: length_m: a whole number of metres from 0 to 100000 expected, not '5 m'",
                "5: device_a,port_a,device_b,port_b,length_m expected, found gpu1,,leaf1,swp1,5",
            ],
        ),
        (
            HEADER.encode() + f"a,b,c,d,-1\na,b,c,d,100001\na,b,c,d,{'9' * 5000}\na,b,c,d,٥\n".encode(),
            [
                "2: length_m: a whole number of metres from 0 to 100000 expected, not '-1'",
                "3: length_m: a whole number of metres from 0 to 100000 expected, not '100001'",
                f"4: length_m: a whole number of metres from 0 to 100000 expected, not '{'9' * 40}'",
                "5: length_m: a whole number of metres from 0 to 100000 expected, not '٥'",
            ],
        ),
        (
            HEADER.encode() + b"a,b,c,d,1\na,b,c,d,1\nc,d,a,b,2\na,b,c,d,\n",
            ["4: one length of a cable expected, found 2 m here and 1 m on line 2"],
        ),
        (HEADER.encode() + b"a,b,c,d,1\ra,b,c,d,1\n", []),
    ],
)
def test_each_wrong_row_of_a_csv_is_one_line(tmp_path: Path, text: bytes, said: list[str]) -> None:
    if not said:
        assert len(cabled(tmp_path, text).cables) == 2
        return
    with pytest.raises(UserFileErrors) as raised:
        cabled(tmp_path, text)
    assert [str(each) for each in raised.value.errors] == [f"{tmp_path / 'cables.csv'}:{each}" for each in said]


def test_a_csv_that_cannot_be_read_is_named_at_the_line_that_asks_for_it(tmp_path: Path) -> None:
    path = tmp_path / "roce-lint.yaml"
    path.write_text("links:\n  file: none.csv\n")
    with pytest.raises(RoceLintError) as raised:
        intended(str(path))
    assert str(raised.value) == f"{path}:2: links.file: 'none.csv' cannot be read: No such file or directory"
    with pytest.raises(RoceLintError) as raised:
        cabled(tmp_path, b"\xff\xfe")
    assert str(raised.value) == f"{path}:3: links.file: text in UTF-8 expected in 'cables.csv'"


def test_an_intent_of_another_name_is_cited_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "site.yaml"
    path.write_text("classes:\n  bulk: {dscp: 1}\n")
    (plan,) = intended(str(path)).plan.fabrics
    assert plan.classes[0].role.lines[0].place == "site.yaml:2"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("classes:\n  a: {dscp: 1}\n  b:\n    may_share_with: [a, bulk]\n", []),
        (
            "classes:\n  b:\n    may_share_with:\n      - bulk\n      - bullk\nfabrics: {x: {}, y: {}}\n",
            ["5: classes.b.may_share_with: no class 'bullk'; did you mean 'bulk'?"],
        ),
        (
            "fabrics:\n  x:\n    classes: {c: {dscp: 1, may_share_with: q}}\n  y: {}\n",
            ["3: fabrics.x.classes.c.may_share_with: no class 'q'; one of bulk, c, notice expected"],
        ),
    ],
)
def test_a_class_shares_with_classes_that_exist(text: str, said: list[str]) -> None:
    if not said:
        wanted(text)
        return
    with pytest.raises(UserFileErrors) as raised:
        wanted(text)
    assert [str(each) for each in raised.value.errors] == [f"roce-lint.yaml:{each}" for each in said]
