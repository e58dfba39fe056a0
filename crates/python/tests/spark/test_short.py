"""A short test of Spark in every run of the tests: a query on a table of 400 rows with two worker processes, one of which is killed in the
middle of a task."""

from bilinear.spark import scan

PREDICATES = {"lyon": "city = 'Lyon' AND stars >= 3", "some": "stars BETWEEN 2 AND 4"}


def test_answers_are_those_of_a_batch_though_a_worker_is_killed(spark, keys, written, saboteur, tmp_path):
    plain, encrypted, folder = written(400, 2)
    tokens = {name: keys[1].token(predicate) for name, predicate in PREDICATES.items()}
    frame = spark.read.parquet(folder)
    killed = frame.mapInArrow(saboteur(str(tmp_path), (0,), (), 1), frame.schema)
    rows = sorted(scan(killed, tokens, opened=True).collect(), key=lambda row: row.id)
    assert [path.name for path in tmp_path.glob("killed*")] == ["killed0"]
    assert [row.id for row in rows] == [row["id"] for row in plain]
    for name, token in tokens.items():
        assert [row[name].match for row in rows] == list(token.matches(encrypted["ciphertext"]))
        assert [row[name].opened and bytes(row[name].opened) for row in rows] == list(token.open(encrypted["ciphertext"]))
        assert {row[name].error for row in rows} == {None}
    assert [row.lyon.match for row in rows] == [row["city"] == "Lyon" and row["stars"] >= 3 for row in plain]
