-- A script in which the connection is lost.
KILL CONNECTION_ID();
