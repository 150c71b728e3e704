/**
 * Restricts the addresses that tenants can have Laurel connect to.
 */
package dev.laurel.processors.delivery.guard;
