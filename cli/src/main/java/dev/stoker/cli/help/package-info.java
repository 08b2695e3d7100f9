/**
 * The help of the command in every form: on the terminal, as man pages, as the reference in the docs, and as completion for
 * bash, zsh and fish. All of them are made from picocli's model of the commands.
 */
@NullMarked
package dev.stoker.cli.help;

import org.jspecify.annotations.NullMarked;
