/**
 * The Kafka Streams applications of a process: how they are configured, started, watched, fenced and stopped. It knows topologies;
 * it does not know generations, delivery or HTTP, which are built on it.
 */
@NullMarked
package dev.laurel.processors.runtime;

import org.jspecify.annotations.NullMarked;
