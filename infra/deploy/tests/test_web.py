from datetime import UTC, datetime, timedelta

import pytest
from deploy import web

NOW = datetime(2026, 11, 22, tzinfo=UTC)
ORIGIN = "https://play.example"
FILES = {
    "index.html": "<html>1</html>",
    "service-worker.js": "worker",
    "manifest.webmanifest": "{}",
    "assets/main-a1.js": "main",
    "assets/main-a1.js.br": "compressed",
    ".vite/manifest.json": "{}",
}


def build(folder, **changed):
    for name, text in {**FILES, **changed}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def keys(s3):
    return {found["Key"] for found in s3.list_objects_v2(Bucket="page").get("Contents", [])}


def test_the_page_comes_after_what_it_loads_and_the_worker_last(tmp_path):
    expected = ["assets/main-a1.js", "manifest.webmanifest", "index.html", "service-worker.js"]
    assert web.files(build(tmp_path)) == expected


def test_hashed_files_are_kept_for_a_year_and_the_rest_asked_about(bucket, tmp_path):
    web.upload(bucket, "page", build(tmp_path), ORIGIN, NOW)
    for key, (cache, kind) in {
        "assets/main-a1.js": ("public, max-age=31536000, immutable", "text/javascript; charset=utf-8"),
        "index.html": ("no-cache", "text/html; charset=utf-8"),
        "service-worker.js": ("no-cache", "text/javascript; charset=utf-8"),
        "manifest.webmanifest": ("no-cache", "application/manifest+json"),
    }.items():
        found = bucket.head_object(Bucket="page", Key=key)
        assert (found["CacheControl"], found["ContentType"]) == (cache, kind), key


def test_a_second_upload_changes_nothing(bucket, tmp_path):
    assert web.upload(bucket, "page", build(tmp_path), ORIGIN, NOW)
    before = {key: bucket.head_object(Bucket="page", Key=key)["LastModified"] for key in keys(bucket)}
    assert web.upload(bucket, "page", tmp_path, ORIGIN, NOW) == []
    assert before == {key: bucket.head_object(Bucket="page", Key=key)["LastModified"] for key in keys(bucket)}


def test_addresses_in_pages_are_the_deployments_own(bucket, tmp_path):
    head = '<meta property="og:image" content="{}/preview.png" />'
    files = {"index.html": head, "pages/terms.html": head, "robots.txt": "Sitemap: {}/sitemap.xml", "sitemap.xml": "<loc>{}/</loc>"}
    built = {key: text.format("http://localhost:4000") for key, text in files.items()}
    script = {"assets/main-a1.js": "http://localhost:4000"}
    web.upload(bucket, "page", build(tmp_path, **built, **script), ORIGIN, NOW)
    for key, text in {**{key: text.format(ORIGIN) for key, text in files.items()}, **script}.items():
        assert bucket.get_object(Bucket="page", Key=key)["Body"].read().decode() == text, key
    assert bucket.head_object(Bucket="page", Key="sitemap.xml")["ContentType"] == "application/xml"
    assert web.upload(bucket, "page", tmp_path, ORIGIN, NOW) == []


def test_wrong_headers_are_mended(bucket, tmp_path):
    web.upload(bucket, "page", build(tmp_path), ORIGIN, NOW)
    bucket.put_object(Bucket="page", Key="index.html", Body=FILES["index.html"].encode(), CacheControl="max-age=86400")
    assert web.upload(bucket, "page", tmp_path, ORIGIN, NOW) == ["index.html"]
    assert bucket.head_object(Bucket="page", Key="index.html")["CacheControl"] == "no-cache"


def test_an_old_tab_finds_its_files_for_thirty_days_after_they_were_replaced(bucket, tmp_path):
    web.upload(bucket, "page", build(tmp_path), ORIGIN, NOW - timedelta(days=200))
    (tmp_path / "assets/main-a1.js").unlink()
    build(tmp_path / "new", **{"assets/main-b2.js": "new", "index.html": "<html>2</html>"})
    new = tmp_path / "new"
    (new / "assets/main-a1.js").unlink()
    for days in (0, 29):
        web.upload(bucket, "page", new, ORIGIN, NOW + timedelta(days=days))
        assert "assets/main-a1.js" in keys(bucket), days
    web.upload(bucket, "page", new, ORIGIN, NOW + timedelta(days=31))
    assert keys(bucket) == {"assets/main-b2.js", "index.html", "manifest.webmanifest", "service-worker.js"}


def test_what_comes_back_is_old_no_more(bucket, tmp_path):
    one, two = build(tmp_path / "one"), build(tmp_path / "two", **{"assets/main-b2.js": "new"})
    (two / "assets/main-a1.js").unlink()
    for folder, day in ((one, 0), (two, 1), (one, 2), (two, 40)):
        web.upload(bucket, "page", folder, ORIGIN, NOW + timedelta(days=day))
    assert "assets/main-a1.js" in keys(bucket), "it left the page on day 40 only"


def test_what_is_no_build_is_not_uploaded(bucket, tmp_path):
    with pytest.raises(FileNotFoundError):
        web.upload(bucket, "page", tmp_path, ORIGIN, NOW)


class Edge:
    def __init__(self):
        self.asked = []

    def create_invalidation(self, **request):
        self.asked.append(request["InvalidationBatch"]["Paths"]["Items"])


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ([], []),
        (["assets/a-1.js"], []),
        (["assets/a-1.js", "index.html", "icon.svg"], [["/index.html", "/icon.svg"]]),
        ([f"icons/{n}.png" for n in range(16)], [["/*"]]),
        ([web.EVERYTHING], [["/*"]]),
    ],
)
def test_the_edge_is_asked_to_fetch_what_changed_under_its_name_alone(changed, asked):
    edge = Edge()
    web.invalidate(edge, "E1", changed, "once")
    assert edge.asked == asked


def test_a_bucket_is_emptied_and_one_that_is_gone_is_empty(bucket, tmp_path):
    web.upload(bucket, "page", build(tmp_path), ORIGIN, NOW)
    web.empty(bucket, "page")
    assert keys(bucket) == set()
    web.empty(bucket, "never-was")
