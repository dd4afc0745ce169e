"""What a rank of a capture is told when another ends, dies or lags, and what a capture leaves behind."""

import threading
import time
import unittest

import support  # noqa: F401  (skips the file without PyTorch)
import torch

from oscar_capture import CaptureError
from oscar_capture.group import check_timeout
from oscar_capture.lent import Lent
from ranks import DDP, FINISH, run

# Without a limit of the rank itself: it waits 30 minutes for another by PyTorch's own.
ENDED = r"another rank has ended or failed: all ranks must make a Capture and call its finish\(\) \([^\n]+\)"
LATE = (
    r"another rank has not come within 2 s \(set by timeout=SECONDS\): all ranks must make a Capture and call its "
    r"finish\(\) \([^\n]+\)"
)


class Gone(unittest.TestCase):
    """Rank 1 is gone when rank 0 calls finish()."""

    def assert_told_at_once(self, ending, status):
        ended = run(DDP, TIMEOUT=10_000, ENDING=f"if rank == 1:\n        {ending}{FINISH}")
        self.assertEqual(ended.statuses, [0, status], ended.err)
        self.assertRegex(ended.outs[0], f"^trained 3\n{ENDED}\n$")
        self.assertNotIn("trace", ended.files)

    def test_a_rank_that_calls_finish_alone_is_told_in_one_line_what_all_must_do(self):
        self.assert_told_at_once("return", 0)

    def test_so_it_is_when_another_was_killed(self):
        self.assert_told_at_once("os.kill(os.getpid(), signal.SIGKILL)", -9)

    def test_so_it_is_when_another_raised_an_exception(self):
        self.assert_told_at_once("raise ValueError('mine')", 1)

    def test_a_rank_that_is_killed_while_it_trains_ends_the_training_of_the_others(self):
        ended = run(DDP, TIMEOUT=10_000, LAST="(1, 1)", ENDING=FINISH)
        self.assertEqual(ended.statuses, [1, -9], ended.err)
        self.assertRegex(ended.errs[0], "RuntimeError: .*(closed|reset)")  # gloo's words, as without a capture
        self.assertRegex(
            ended.errs[0],
            r"no trace was written, for finish\(\) was never called \([01] of 2 iterations were recorded\)",
        )
        self.assertNotIn("trace", ended.files)


class Late(unittest.TestCase):
    """Rank 1 is there and does not come until rank 0 was told."""

    def test_a_rank_waits_in_finish_for_no_longer_than_its_timeout(self):
        ended = run(DDP, TIMEOUT=2, ENDING=f"if rank == 1:\n        wait_for('told 0'){FINISH}")
        self.assertEqual(ended.statuses, [0, 0], ended.err)
        self.assertRegex(ended.outs[0], f"^trained 3\n{LATE}\n$")
        self.assertRegex(ended.outs[1], f"^trained 3\n{ENDED}\n$")
        self.assertNotIn("trace", ended.files)

    def test_nor_does_it_where_a_capture_is_made(self):
        ended = run(
            DDP,
            TIMEOUT=2,
            BEFORE="""
    if rank == 1:
        wait_for("told 0")
        return
    try:
        ddp.Capture(model, "trace", first=1, count=2, timeout=2)
    except CaptureError as error:
        print(error)
    Path("told 0").touch()
    return""",
        )
        self.assertEqual(ended.statuses, [0, 0], ended.err)
        self.assertRegex(ended.outs[0], f"^{LATE}\n$")
        self.assertEqual(ended.files, [])

    def test_a_timeout_that_is_none_is_refused_on_all_ranks(self):
        ended = run(DDP, TIMEOUT="0 if rank == 1 else 100")
        self.assertEqual(ended.statuses, [1, 1])
        self.assertIn("CaptureError: timeout must be a number of seconds above 0, not 0\n", ended.errs[1])
        self.assertIn("CaptureError: rank 1: timeout must be a number of seconds above 0, not 0\n", ended.errs[0])
        for wrong in (-1, "60", True, float("inf"), float("nan"), None):
            with self.subTest(wrong), self.assertRaisesRegex(
                CaptureError, "timeout must be a number of seconds above 0, not"
            ):
                check_timeout(wrong)


class Left(unittest.TestCase):
    def test_a_capture_keeps_nothing_of_the_model_after_finish(self):
        ended = run(
            DDP,
            ENDING="""
    import gc, weakref
    gc.disable()
    capture.finish()
    left = weakref.ref(model), weakref.ref(model.module), weakref.ref(model.module.weight), weakref.ref(model.reducer)
    del model
    print([reference() is None for reference in left], capture.step)""",
        )
        self.assertEqual((ended.statuses, ended.err), ([0, 0], ""))
        self.assertEqual(ended.outs, ["trained 3\n[True, True, True, True] 3\n"] * 2)

    def test_no_thread_of_the_backend_holds_a_gradient_after_finish(self):
        ended = run(DDP, ENDING="capture.finish(); print(len(capture._lent._held))")
        self.assertEqual(ended.outs, ["trained 3\n0\n"] * 2, ended.err)

    def test_what_is_lent_is_the_same_memory_and_is_waited_for(self):
        lent, tensor, freed = Lent(), torch.arange(3.0), []
        kept = [lent.lend(tensor)]
        self.assertEqual((kept[0].data_ptr(), kept[0].tolist()), (tensor.data_ptr(), [0, 1, 2]))

        def free():
            time.sleep(0.2)
            freed.append(True)
            kept.clear()

        borrower = threading.Thread(target=free)
        borrower.start()
        lent.wait(60)
        self.assertEqual(freed, [True])
        borrower.join()

    def test_but_for_no_longer_than_was_said(self):
        lent = Lent()
        kept = lent.lend(torch.zeros(1))
        begin = time.monotonic()
        lent.wait(0.1)
        self.assertGreaterEqual(time.monotonic() - begin, 0.1)
        self.assertEqual(kept.item(), 0)


class Limits(unittest.TestCase):
    def test_a_training_that_hangs_says_where_each_rank_stood(self):
        with self.assertRaises(AssertionError) as caught:
            run(
                DDP,
                TIMEOUT=10_000,
                ENDING="""
    faulthandler.dump_traceback_later(1, repeat=True)
    signal.alarm(0)
    if rank == 0:   # stands still: another thread tells its stack, and cannot while it runs Python
        os.system("until grep -q 'in train' err-0 && grep -q 'in finish' err-1; do sleep 0.05; done")
        os.kill(os.getpid(), signal.SIGALRM)
    capture.finish()""",
            )
        said = str(caught.exception)
        self.assertRegex(
            said, r'(?s)rank 0 ended with -14, .*Timeout \(0:00:01\).*script.py", line \d+ in train.*rank 1 ended with'
        )
        self.assertRegex(said, r'(?s)rank 1 ended with 1, .*Timeout \(0:00:01\).*recorder.py", line \d+ in finish')


if __name__ == "__main__":
    unittest.main()
