package dev.stoker.index;

import dev.stoker.StokerException;
import dev.stoker.block.CodecPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the META section says about blocks: {@code "pipelines": [[["gzip"], ["shuffle", 4]], ...]}, each the steps of
 * decoding in their order, and {@code "files": ["c/0/0", ...]}, the files of a container that is a folder.
 */
public record BlockMeta(List<CodecPipeline> pipelines, List<String> files) {
    /** Of a container without blocks. */
    public static final BlockMeta NONE = new BlockMeta(List.of(), List.of());

    /** The number of the pipeline of blocks that are stored as they are, in what {@link #of} gives. */
    public static final int PLAIN = 1;

    /** Of a container that Stoker compresses: pipeline 0 decodes, {@value #PLAIN} is that of plain blocks. */
    public static BlockMeta of(String codec) {
        return new BlockMeta(List.of(CodecPipeline.of(codec), CodecPipeline.NONE), List.of());
    }

    public BlockMeta {
        pipelines = List.copyOf(pipelines);
        files = List.copyOf(files);
    }

    void toJson(Map<String, @Nullable Object> meta) {
        if (pipelines.isEmpty()) {
            return;
        }
        var all = new ArrayList<List<List<Object>>>();
        for (CodecPipeline pipeline : pipelines) {
            var steps = new ArrayList<List<Object>>();
            for (CodecPipeline.Step step : pipeline.steps()) {
                var entry = new ArrayList<Object>();
                entry.add(step.codec());
                entry.addAll(step.numbers());
                steps.add(entry);
            }
            all.add(steps);
        }
        meta.put("pipelines", all);
        meta.put("files", files);
    }

    static BlockMeta ofJson(Map<?, ?> meta) {
        if (meta.get("pipelines") == null) {
            return NONE;
        }
        var pipelines = new ArrayList<CodecPipeline>();
        for (Object steps : IndexMeta.as(List.class, meta.get("pipelines"))) {
            pipelines.add(pipeline(IndexMeta.as(List.class, steps)));
        }
        var files = new ArrayList<String>();
        for (Object name : IndexMeta.as(List.class, meta.get("files"))) {
            files.add(IndexMeta.as(String.class, name));
        }
        return new BlockMeta(pipelines, files);
    }

    private static CodecPipeline pipeline(List<?> steps) {
        var parsed = new ArrayList<CodecPipeline.Step>();
        for (Object step : steps) {
            List<?> entry = IndexMeta.as(List.class, step);
            if (entry.isEmpty()) {
                throw new StokerException("a step of a pipeline has no name");
            }
            var numbers = new ArrayList<Long>();
            for (Object number : entry.subList(1, entry.size())) {
                numbers.add(IndexMeta.as(Long.class, number));
            }
            parsed.add(new CodecPipeline.Step(IndexMeta.as(String.class, entry.getFirst()), numbers));
        }
        return new CodecPipeline(parsed);
    }
}
