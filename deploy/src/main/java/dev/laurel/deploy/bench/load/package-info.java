/** The HTTP load generator and its statistics. It knows nothing about Laurel. */
package dev.laurel.deploy.bench.load;
