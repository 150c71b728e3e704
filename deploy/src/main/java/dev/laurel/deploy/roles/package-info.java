/**
 * The roles that a process can have (gateway, node, delivery), their commands, the standalone, which has all of them and a broker, and the
 * HTTP server of a process. No rules of the product: roles only assemble the other modules.
 */
@NullMarked
package dev.laurel.deploy.roles;

import org.jspecify.annotations.NullMarked;
