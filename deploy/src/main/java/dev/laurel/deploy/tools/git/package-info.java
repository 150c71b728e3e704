/** Histories of git repositories, read with the git executable. Must not know events or imports. */
@NullMarked
package dev.laurel.deploy.tools.git;

import org.jspecify.annotations.NullMarked;
