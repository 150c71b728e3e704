/** The embedded Kafka broker and its command. It knows nothing about the topics of Laurel. */
package dev.laurel.deploy.broker;
