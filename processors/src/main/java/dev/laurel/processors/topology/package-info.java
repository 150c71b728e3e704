/** The topologies of the applications, one class each, with the names of all nodes. Node names are documentation; store names are durable data. */
@NullMarked
package dev.laurel.processors.topology;

import org.jspecify.annotations.NullMarked;
