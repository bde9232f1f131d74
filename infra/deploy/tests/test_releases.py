import zipfile
from io import BytesIO

import pytest
from deploy import package
from deploy.aws import Refused
from deploy.releases import Release, Releases


def release(name):
    return Release(
        commit=name, template=f"templates/{name}", page=f"pages/{name}", at="2026-11-22T00:00:00+00:00", parameters={}
    )


@pytest.fixture
def releases(bucket):
    return Releases(bucket, "page", "test")


def test_each_release_has_a_number_and_the_same_one_keeps_it(releases):
    assert releases.live() is None
    assert [releases.note(release(name)).number for name in "aabbc"] == [1, 1, 2, 2, 3]
    assert releases.live() == releases.before(3)


def test_going_back_goes_one_further_each_time(releases):
    for name in "abc":
        releases.note(release(name))
    for name in "ba":
        before = releases.before()
        assert before.commit == name
        releases.point_at(before.number)
    with pytest.raises(Refused, match="first one"):
        releases.before()


def test_after_going_back_the_next_release_is_a_new_one(releases):
    for name in "ab":
        releases.note(release(name))
    releases.point_at(1)
    assert releases.note(release("c")).number == 3
    assert releases.before().commit == "b"
    assert releases.before(1).commit == "a"


def test_after_one_that_broke_off_the_way_back_is_to_the_one_that_was_live(releases):
    for name in "ab":
        releases.note(release(name))
    releases.coming()
    for _ in range(2):
        assert releases.before().commit == "b"
    assert releases.before(1).commit == "a"
    releases.point_at(2)
    assert releases.before().commit == "a"
    releases.coming()
    releases.note(release("c"))
    assert releases.before().commit == "b"


def test_where_nothing_was_deployed_there_is_nothing_to_go_back_to(releases):
    with pytest.raises(Refused, match="Nothing was deployed"):
        releases.before()
    releases.note(release("a"))
    with pytest.raises(Refused, match="There are: 1"):
        releases.before(7)


def test_the_same_files_are_the_same_package(tmp_path):
    one = package.zipped({"bootstrap": b"binary"}, executable=True)
    assert one == package.zipped({"bootstrap": b"binary"}, executable=True)
    assert one != package.zipped({"bootstrap": b"another"}, executable=True)
    entry = zipfile.ZipFile(BytesIO(one)).getinfo("bootstrap")
    assert entry.external_attr >> 16 & 0o111, "Lambda has to be able to run it"


def test_a_page_comes_back_as_it_was(tmp_path):
    files = {"index.html": b"<html>", "assets/a-1.js": b"\x00\xff"}
    package.unzip(package.zipped(files), tmp_path)
    assert package.folder(tmp_path) == files


def test_what_is_kept_is_kept_once_under_its_hash(bucket):
    one = package.keep(bucket, "page", "pages", "zip", b"x")
    assert one == package.keep(bucket, "page", "pages", "zip", b"x")
    assert one != package.keep(bucket, "page", "pages", "zip", b"y")
    assert bucket.get_object(Bucket="page", Key=one)["Body"].read() == b"x"


def test_the_artifacts_are_nobodys_but_the_accounts(client):
    s3 = client("s3")
    for _ in range(2):
        package.bucket(s3, "kept", "eu-west-1")
    assert all(s3.get_public_access_block(Bucket="kept")["PublicAccessBlockConfiguration"].values())
