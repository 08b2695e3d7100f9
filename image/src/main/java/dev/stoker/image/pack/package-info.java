/** What happens to pictures while they are packed: they are checked, made smaller, or given restart markers. */
@org.jspecify.annotations.NullMarked
package dev.stoker.image.pack;
