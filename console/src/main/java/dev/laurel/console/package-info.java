/**
 * The console: web pages for operators, served at {@code /console/} by every process (docs/console.md). The pages are static
 * files, clients of the public API and of nothing else; this package only serves them, and the elements for pages of products at
 * {@code /elements/} (docs/elements.md).
 */
@NullMarked
package dev.laurel.console;

import org.jspecify.annotations.NullMarked;
