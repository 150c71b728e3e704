/** All roles and a broker in one process. Must not be used by the roles. */
@NullMarked
package dev.laurel.deploy.standalone;

import org.jspecify.annotations.NullMarked;
