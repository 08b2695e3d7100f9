/**
 * Data on the node for as long as a job needs it: staged into memory or onto a local disk, mounted, and gone afterwards.
 *
 * <p>Everything that is staged lies in a folder {@code stoker-RANDOM} of its own, 0700, in a {@link
 * dev.stoker.stage.StagingPlace}:
 *
 * <pre>
 *   note.json     what it is: {@link dev.stoker.stage.StagedNote}
 *   lock          held shared by everyone who uses the folder, alone by whoever deletes it; the last to be deleted
 *   fill          held alone by the process that brings the data
 *   journal       which pieces are there, with their checksums: {@link dev.stoker.stage.copy.CopyJournal}
 *   complete      says that all data are there, since this start of the machine; after another one the journal tells
 *                 which pieces have to be looked at, and brought again if the disk never had them
 *   keep          is there if the folder is to stay when nobody uses it
 *   users/NAME    one for each command that runs with the data, held alone by its {@code stoker run}: {@link
 *                 dev.stoker.stage.CleanupWatcher}
 *   data/NAME     the container, or the tree of files
 *   mount         where a container is mounted
 * </pre>
 *
 * Locks are those of {@link dev.stoker.os.LockFile}: the system lets go of them when a process ends, however that
 * ends, and a folder that nobody holds or {@linkplain dev.stoker.stage.StagedOwner owns} is a leftover. Whoever leaves last
 * deletes it; where nobody could, the next start does. Locks and owners are seen on one node only, so what was staged
 * elsewhere ({@link dev.stoker.stage.node.ProcessHome}) is neither used nor deleted.
 *
 * <p>Start reading at {@link dev.stoker.stage.Stager}.
 */
@NullMarked
package dev.stoker.stage;

import org.jspecify.annotations.NullMarked;
