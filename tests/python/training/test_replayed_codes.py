"""The clock of OSCAR-HW replays what training sent: the codes of both, element by element."""

import json
import types
import unittest

import numpy as np
from oscar_sim import _core
from oscar_training.oscar_hw import OscarHw
from oscar_training.replayed import Replay

RANKS, SIZE, STEPS = 3, 600, 5
TENSORS = [(0, 100, 0), (100, 600, 20)]  # the second is a hundred times as large as the first
KINDS = ("percentile", "max", "per_tensor", "per_tensor_percentile")


class Spy:
    """A quantiser that keeps the codes of all ranks that it made."""

    def __init__(self, quantiser):
        self._quantiser, self.codes = quantiser, []

    def __getattr__(self, name):
        return getattr(self._quantiser, name)

    def quantise(self, *arguments):
        made = self._quantiser.quantise(*arguments)
        self.codes.append(made[0])
        return made


def gradients(step):
    scales = np.where(np.arange(SIZE) < 100, 1e-3, 0.1)
    return [
        (scales * np.random.default_rng([step, rank]).laplace(size=SIZE)).astype(np.float32) for rank in range(RANKS)
    ]


def codes_of_both(quantiser):
    """Per step: the codes that training sent, and those of the two iterations that the clock replayed."""
    replayed = []

    def simulate(config):
        replayed.append(_core.trace_codes(config["trace"], json.dumps(config["quantiser"]), config["ranks"], seed=9))
        return {"methods": [{"allreduce_ps": 1, "payload_bytes": 4}]}

    method = OscarHw(
        types.SimpleNamespace(parameters={"quantiser": quantiser, "every": 1}),
        None,
        Replay({}, RANKS, TENSORS, simulate),
    )
    method._quantiser = spy = Spy(method._quantiser)
    for step in range(STEPS):
        method.step(gradients(step), TENSORS)
    return np.reshape(spy.codes, (STEPS, RANKS, SIZE)), np.array(replayed)


class Codes(unittest.TestCase):
    def test_the_clock_codes_what_training_sent_for_every_quantiser_rounding_and_residual(self):
        for kind in KINDS:
            for residual in (False, True):
                for rounding in ("nearest", "stochastic"):
                    with self.subTest(kind, residual=residual, rounding=rounding):
                        sent, replayed = codes_of_both(
                            {"kind": kind, "bits": 4, "residual": residual, "rounding": rounding}
                        )
                        self.assertEqual(replayed.shape, (STEPS, 2, RANKS, SIZE))
                        np.testing.assert_array_equal(replayed[:, 1], sent)  # this step
                        np.testing.assert_array_equal(replayed[1:, 0], sent[:-1])  # behind the step before

    def test_codes_differ_from_step_to_step_and_with_a_residual(self):
        """The premise of the test above."""
        plain, _ = codes_of_both({"kind": "percentile", "bits": 4})
        corrected, _ = codes_of_both({"kind": "percentile", "bits": 4, "residual": True})
        np.testing.assert_array_equal(plain[0], corrected[0])
        self.assertTrue((plain[1] != corrected[1]).any())
        self.assertTrue((plain[0] != plain[1]).any())

    def test_stochastic_rounding_draws_anew_for_each_rank_and_step(self):
        method = OscarHw(
            types.SimpleNamespace(parameters={"quantiser": {"kind": "max", "bits": 2, "rounding": "stochastic"}}),
            None,
            lambda *_: (0, 0),
        )
        method._quantiser = spy = Spy(method._quantiser)
        same = [gradients(1)[0]] * RANKS
        for _ in range(2):
            method.step(same, TENSORS)
        self.assertEqual(len({codes.tobytes() for codes in spy.codes}), 2 * RANKS)

    def test_a_scale_that_training_does_not_agree_on_is_refused(self):
        with self.assertRaisesRegex(ValueError, "agreement: exact"):
            OscarHw(
                types.SimpleNamespace(parameters={"quantiser": {"kind": "max", "agreement": "delayed"}}), None, None
            )


if __name__ == "__main__":
    unittest.main()
