/**
 * Makes the next version of a ruleset: from a file or an edit, with ids, issues and what restarts.
 */
@NullMarked
package dev.laurel.schemas.ruleset.edit;

import org.jspecify.annotations.NullMarked;
