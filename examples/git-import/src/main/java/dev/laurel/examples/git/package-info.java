/** Imports the history of a git repository, which the git executable reads, as metric events of its authors: {@code laurel import-git}. */
@NullMarked
package dev.laurel.examples.git;

import org.jspecify.annotations.NullMarked;
