/**
 * The tables of the warehouse (docs/warehouse.md), what each record of a changelog topic says about their rows, and a transformation with
 * which connectors of Kafka Connect read these records. Knows no database and no topic but its name.
 */
@NullMarked
package dev.laurel.warehouse;

import org.jspecify.annotations.NullMarked;
