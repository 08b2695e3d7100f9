/**
 * What to do with data, and why: {@link dev.stoker.bench.advise.AdviceReport} looks at them, at the storage where they lie and
 * at the node, all bounded in time, and writes nothing there.
 *
 * <pre>
 *   FolderScan, FileLook, Contents, ContainerLook ──▶ Seen      what the data are
 *   FileLook, ReadProbe, Trial                    ──▶ Measured  what the storage and the memory give
 *   NodeLook                                      ──▶ Node      what the allocation has
 *                    Seen + Measured + Node ──Advisor──▶ Advice
 * </pre>
 *
 * The last step is a pure function, so that its rules are tested for situations that no test machine is in. How data come
 * to a node is not decided here: {@link dev.stoker.stage.StagingChoice} is asked, which {@code stoker run} obeys.
 */
@NullMarked
package dev.stoker.bench.advise;

import org.jspecify.annotations.NullMarked;
