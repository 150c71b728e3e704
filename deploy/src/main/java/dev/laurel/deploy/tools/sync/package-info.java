/** {@code laurel sync}: keeps the tables of docs/warehouse.md in a database, from the changelog topics of the generation in force. */
@NullMarked
package dev.laurel.deploy.tools.sync;

import org.jspecify.annotations.NullMarked;
