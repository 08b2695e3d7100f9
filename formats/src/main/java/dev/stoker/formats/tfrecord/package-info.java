/**
 * TFRecord files of {@code tf.train.Example}, for users of tf.data. Start reading at {@link
 * dev.stoker.formats.tfrecord.TfRecordFormat}, whose Javadoc is the layout.
 */
@NullMarked
package dev.stoker.formats.tfrecord;

import org.jspecify.annotations.NullMarked;
