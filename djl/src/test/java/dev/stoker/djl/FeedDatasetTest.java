package dev.stoker.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import dev.stoker.concurrent.Progress;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Feed;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.write.Packer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedDatasetTest {
    private static final int EPOCHS = 20;

    @TempDir
    private Path folder;

    @Test
    void aModelLearnsFromAFeed() throws Exception {
        Path file = folder.resolve("points.stk");
        try (var points = new PointSamples(2000)) {
            var settings = new Packer.Settings(FormatOptions.NONE, 1, false, false, false);
            new Packer(points, Formats.named("stk"), file, settings, new Progress()).run();
        }
        try (var data = Dataset.open(file);
                var training = new FeedDataset(() -> Feed.of(data).batch(50).shuffle(7), "point", "label");
                var checking = new FeedDataset(() -> Feed.of(data).batch(500), "point", "label");
                Model model = Model.newInstance("circle", "PyTorch")) {
            model.setBlock(new SequentialBlock()
                    .add(Linear.builder().setUnits(32).build())
                    .add(Activation::relu)
                    .add(Linear.builder().setUnits(2).build()));
            var config = new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
                    .optOptimizer(Optimizer.adam()
                            .optLearningRateTracker(Tracker.fixed(0.01f))
                            .build());
            try (Trainer trainer = model.newTrainer(config)) {
                trainer.initialize(new Shape(50, 2));
                for (int epoch = 0; epoch < EPOCHS; epoch++) {
                    for (Batch batch : trainer.iterateDataset(training)) {
                        EasyTrain.trainBatch(trainer, batch);
                        trainer.step();
                        batch.close();
                    }
                }
                assertThat(accuracy(trainer, checking)).isGreaterThan(0.95);
            }
        }
    }

    private static double accuracy(Trainer trainer, FeedDataset checking) throws Exception {
        long right = 0;
        long all = 0;
        for (Batch batch : trainer.iterateDataset(checking)) {
            try (batch) {
                NDArray said = trainer.evaluate(new NDList(batch.getData()))
                        .singletonOrThrow()
                        .argMax(1);
                right += said.eq(batch.getLabels().singletonOrThrow()).sum().getLong();
                all += batch.getSize();
            }
        }
        return (double) right / all;
    }
}
