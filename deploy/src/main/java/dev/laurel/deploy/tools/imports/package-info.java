/** Imports into the log or through a server: exactly once, resumable, in order per user. */
@NullMarked
package dev.laurel.deploy.tools.imports;

import org.jspecify.annotations.NullMarked;
