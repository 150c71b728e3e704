/** The embedded Kafka broker and its command. It knows nothing about the topics of Laurel. */
@NullMarked
package dev.laurel.deploy.broker;

import org.jspecify.annotations.NullMarked;
