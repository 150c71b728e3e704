/** All roles and a broker in one process. Must not be used by the roles. */
package dev.laurel.deploy.standalone;
