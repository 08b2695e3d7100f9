package dev.stoker.spark;

import dev.stoker.StokerException;
import dev.stoker.job.SharedListing;
import dev.stoker.job.Team;
import dev.stoker.write.ShareExecutor;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** The tasks of a Spark job. Made in Spark's driver; ends the job when everything is filled. */
public final class SparkExecutor implements ShareExecutor, AutoCloseable {
    /** More shares than cores, so that a slow or lost executor costs little. */
    private static final int SHARES_PER_CORE = 4;

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final PackJobRecipe recipe;
    private final JavaSparkContext context;
    private final SharedListing findings;
    private int shares = 2;

    public SparkExecutor(PackJobRecipe recipe) {
        this.recipe = recipe;
        this.context = new JavaSparkContext(new SparkConf().setIfMissing("spark.app.name", "stoker pack"));
        try {
            awaitExecutor();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        this.findings = new SharedListing(shares());
    }

    /** Spark would wait without a word, and knows of no cores before. */
    private void awaitExecutor() {
        long start = System.nanoTime();
        // The driver is one of those that are listed.
        while (!context.isLocal() && context.sc().statusTracker().getExecutorInfos().length < 2) {
            if (System.nanoTime() - start > LONGEST_WAIT.toNanos()) {
                throw new StokerException("no executor of " + context.master() + " came within "
                        + LONGEST_WAIT.toMinutes() + " minutes: all are busy, or none has the memory and cores that"
                        + " spark.executor.memory and spark.executor.cores ask for");
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StokerException("interrupted", e);
            }
        }
    }

    /** The team with which the driver looks at the source: what it finds, the tasks need not look for. */
    public Team finder() {
        return findings.finder();
    }

    /** Grows while executors come. */
    @Override
    public int shares() {
        if (!context.sc().isStopped()) {
            shares = Math.max(shares, SHARES_PER_CORE * context.defaultParallelism());
        }
        return shares;
    }

    @Override
    public void fill(Work work, Consumer<Filled> filled) {
        List<Integer> numbers = IntStream.range(0, work.shares()).boxed().toList();
        var task = new FillTask(recipe, context.broadcast(work), context.broadcast(findings));
        try {
            context.sc()
                    .runJob(
                            context.parallelize(numbers, work.shares()).rdd(),
                            task,
                            CollectionConverters.asScala(List.<Object>copyOf(numbers))
                                    .toSeq(),
                            new Taken(filled),
                            ClassTag$.MODULE$.apply(Filled.class));
        } catch (Exception e) {
            // Thrown unchecked by Scala, so the compiler does not know of it.
            if (e instanceof SparkException) {
                throw new StokerException("Spark could not fill all shares: " + reason(e), e);
            }
            throw e;
        } finally {
            // A second attempt of a share that is done may still run; executors end with their context.
            close();
        }
    }

    /** What failed in the task, without the stack trace that Spark puts into its message. */
    private static String reason(Exception e) {
        String message = String.valueOf(e.getMessage());
        String own = StokerException.class.getName() + ": ";
        int start = message.indexOf(own);
        String found = start < 0 ? message : message.substring(start + own.length());
        return found.lines().findFirst().orElse("no reason is given");
    }

    @Override
    public void close() {
        context.stop();
    }

    /** Runs in the driver when a share is filled; Spark calls it for one attempt of each. */
    private static final class Taken extends AbstractFunction2<Object, Filled, BoxedUnit> {
        private final Consumer<Filled> filled;

        Taken(Consumer<Filled> filled) {
            this.filled = filled;
        }

        @Override
        public BoxedUnit apply(Object share, Filled result) {
            filled.accept(result);
            return BoxedUnit.UNIT;
        }
    }
}
