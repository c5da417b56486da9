struct Transport {}
