/** The command that lists and exports the audit log. */
@NullMarked
package dev.laurel.deploy.tools.audit;

import org.jspecify.annotations.NullMarked;
