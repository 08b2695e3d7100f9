/** What the tests of several modules share. */
@NullMarked
package dev.stoker.testkit;

import org.jspecify.annotations.NullMarked;
