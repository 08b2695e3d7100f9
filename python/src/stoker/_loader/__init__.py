"""`stoker.Loader`: batches that the reader process puts into shared memory."""
