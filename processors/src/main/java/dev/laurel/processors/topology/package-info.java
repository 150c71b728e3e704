/** The graphs of the applications, one class each, with the names of all nodes. Node names are documentation; store names are data. */
package dev.laurel.processors.topology;
