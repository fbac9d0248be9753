"""Draws of words for targets of the Makefile."""

import draw


def test_a_seed_repeats_its_draw_and_others_differ(capsys, monkeypatch):
    words = ["one", "two", "three", "four", "five", "six"]
    monkeypatch.setenv("EFDGEN_TEST_SEED", "7")
    draw.main("3", *words)
    draw.main("3", *words)
    out, err = capsys.readouterr()
    first, again = out.splitlines()
    assert first == again
    assert [word for word in words if word in first.split()] == first.split()
    assert len(first.split()) == 3
    assert "EFDGEN_TEST_SEED=7: " in err
    assert {tuple(draw.drawn(1, words, f"{seed}")) for seed in range(60)} == {(word,) for word in words}


def test_fewer_words_are_all_drawn():
    assert draw.drawn(3, ["a", "b"], "1") == ["a", "b"]
