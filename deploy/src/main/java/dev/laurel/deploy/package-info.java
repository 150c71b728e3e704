/**
 * The entry point: the command line with all its commands. Only this package knows every command; commands live in
 * the packages below.
 */
@NullMarked
package dev.laurel.deploy;

import org.jspecify.annotations.NullMarked;
