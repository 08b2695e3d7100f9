package dev.stoker.cli.feed;

import dev.stoker.UsageException;
import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.feed.ArrayDecoder;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.image.DType;
import dev.stoker.image.ImageDecoder;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.Layout;
import dev.stoker.image.PipelineOptions;
import dev.stoker.sample.DecodedField;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which field a feed decodes, and how. */
@Grouped(OptionGroup.PICTURES)
public final class DecodeOptions {
    /** The option that names the field. */
    public static final String FIELD = "--decode-field";

    /** What the field holds. */
    enum Kind {
        image,
        npy,
        raw
    }

    /** See {@link Layout}; as the command writes it. */
    enum LayoutOption {
        chw,
        hwc
    }

    /** See {@link DType}; as the command writes it. */
    enum DTypeOption {
        uint8,
        float16,
        bfloat16,
        float32
    }

    /** What {@code --transform} takes. */
    public static final String TRANSFORMS = "Resize, CenterCrop, RandomCrop, RandomResizedCrop, RandomHorizontalFlip,"
            + " ColorJitter, Grayscale, ToFloat and Normalize";

    @Option(
            names = "--decode",
            paramLabel = "KIND",
            description = "Decode a field: ${COMPLETION-CANDIDATES}; image requires --transform, npy and raw --array.")
    private @Nullable Kind decode;

    @Option(
            names = FIELD,
            paramLabel = "NAME",
            description = "The field to decode (default: data, or the only field of bytes).")
    private @Nullable String field;

    @Option(
            names = "--array",
            paramLabel = "TYPE",
            description = "Type and shape of every value, such as float32[3,32,32]; with --decode npy or raw.")
    private @Nullable String array;

    @Option(
            names = "--transform",
            paramLabel = "CHAIN",
            description = "Transforms with torchvision's names and arguments, separated by commas, such as"
                    + " \"RandomResizedCrop(224),Normalize(imagenet)\". There are " + TRANSFORMS + ".")
    private @Nullable String transform;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            description = "Axis order of decoded pictures: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private LayoutOption layout = LayoutOption.chw;

    @Option(
            names = "--dtype",
            paramLabel = "TYPE",
            description =
                    "Type of decoded pictures: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). uint8 pixels are 0 to 255,"
                            + " and the training applies Normalize; bfloat16 is delivered as uint16 bits.")
    private DTypeOption dtype = DTypeOption.uint8;

    @Option(names = "--fast-scale", description = "Scale large JPEGs down while decoding: faster, but changes pixels.")
    private boolean fastScale;

    boolean isUsed() {
        return decode != null;
    }

    /** The field to decode. */
    String field(Schema schema, String source) {
        return DecodedField.find(schema, source, field, FIELD);
    }

    void addTo(FeedBuilder builder, Schema schema, String source) {
        if (field != null && decode == null) {
            throw new UsageException(FIELD + " needs --decode");
        }
        if (transform != null && decode != Kind.image) {
            throw new UsageException("--transform needs --decode image");
        }
        if (array != null && (decode == null || decode == Kind.image)) {
            throw new UsageException("--array needs --decode npy or --decode raw");
        }
        if (decode == Kind.image) {
            builder.decode(field(schema, source), ImageDecoder.of(pipeline()));
        } else if (decode != null) {
            FieldType.Tensor type = arrayType(decode);
            builder.decode(field(schema, source), decode == Kind.npy ? ArrayDecoder.npy(type) : ArrayDecoder.raw(type));
        }
    }

    private FieldType.Tensor arrayType(Kind kind) {
        if (array != null && FieldType.named(array) instanceof FieldType.Tensor tensor) {
            return tensor;
        }
        throw new UsageException("--decode " + kind + " needs --array with type and shape, such as float32[3,32,32]"
                + (array == null ? "" : ", not " + array));
    }

    private ImagePipeline pipeline() {
        return parse(
                        transform == null ? "" : transform,
                        Layout.valueOf(layout.name().toUpperCase(Locale.ROOT)),
                        DType.valueOf(dtype.name().toUpperCase(Locale.ROOT)))
                .with(PipelineOptions.DEFAULT.withFastScale(fastScale));
    }

    /** A chain as the user wrote it. */
    public static ImagePipeline parse(String transform, Layout layout, DType dtype) {
        try {
            return ImagePipeline.parse(transform, layout, dtype);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--transform: " + e.getMessage(), e);
        }
    }
}
