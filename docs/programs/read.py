import sys, stoker

samples = stoker.open(sys.argv[1])
print(len(samples), len(memoryview(samples[1]["data"]).cast("B")))
