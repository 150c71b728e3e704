/**
 * The sink of a follower that keeps the tables of the warehouse in PostgreSQL or DuckDB (docs/warehouse.md). Knows no command line.
 */
@NullMarked
package dev.laurel.warehouse.sync;

import org.jspecify.annotations.NullMarked;
