/**
 * The routes of reads, one class per resource, and what forwards a request to another node. Rules of reads do not belong here.
 */
@NullMarked
package dev.laurel.query.http;

import org.jspecify.annotations.NullMarked;
